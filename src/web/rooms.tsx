import type { ComponentType } from 'preact';
import type { PageProps } from './components/page.tsx';
import { laterRoom } from './later.tsx';

/** Pages beyond the taps, each fetched when somebody first goes there. */
const rooms: readonly (readonly [path: string, Room: ComponentType<PageProps>])[] = [
  ['/menu', laterRoom(() => import('./pages/menu/menu-page.tsx').then((module) => module.MenuPage))],
  ['/drinks', laterRoom(() => import('./pages/drinks/drinks-page.tsx').then((module) => module.DrinksPage))],
  ['/kegs', laterRoom(() => import('./pages/kegs/kegs-page.tsx').then((module) => module.KegsPage))],
  ['/kegs/:id', laterRoom(() => import('./pages/kegs/keg-page.tsx').then((module) => module.KegPage))],
  ['/taps/:id', laterRoom(() => import('./pages/tap-page.tsx').then((module) => module.TapPage))],
  [
    '/taps/:id/calibrate',
    laterRoom(() => import('./pages/calibration/calibrate-page.tsx').then((module) => module.CalibratePage)),
  ],
  [
    '/sessions',
    laterRoom(() => import('./pages/statistics/sessions-page.tsx').then((module) => module.SessionsPage)),
  ],
  [
    '/statistics',
    laterRoom(() => import('./pages/statistics/statistics-page.tsx').then((module) => module.StatisticsPage)),
  ],
  [
    '/controllers',
    laterRoom(() =>
      import('./pages/controllers/controllers-page.tsx').then((module) => module.ControllersPage),
    ),
  ],
  ['/wiring', laterRoom(() => import('./pages/wiring/wiring-page.tsx').then((module) => module.WiringPage))],
  [
    '/reports',
    laterRoom(() => import('./pages/reports/reports-page.tsx').then((module) => module.ReportsPage)),
  ],
  ['/users', laterRoom(() => import('./pages/account/users-page.tsx').then((module) => module.UsersPage))],
  ['/site', laterRoom(() => import('./pages/site/site-page.tsx').then((module) => module.SitePage))],
  ['/backups', laterRoom(() => import('./pages/site/backups-page.tsx').then((module) => module.BackupsPage))],
  ['/logs', laterRoom(() => import('./pages/site/logs-page.tsx').then((module) => module.LogsPage))],
  ['/mail', laterRoom(() => import('./pages/mail/mail-page.tsx').then((module) => module.MailPage))],
  [
    '/webhooks',
    laterRoom(() => import('./pages/webhooks/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  ],
  ['/audit', laterRoom(() => import('./pages/audit/audit-page.tsx').then((module) => module.AuditPage))],
  [
    '/account',
    laterRoom(() => import('./pages/account/account-page.tsx').then((module) => module.AccountPage)),
  ],
];

/** The page at a path, with what stands there for `:id`; null where there is none. */
export function roomAt(
  path: string,
): { readonly Room: ComponentType<PageProps>; readonly id: string } | null {
  for (const [pattern, Room] of rooms) {
    const found = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path);
    if (found) return { Room, id: decodeURIComponent(found[1] ?? '') };
  }
  return null;
}
