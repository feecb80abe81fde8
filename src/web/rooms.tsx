import type { ComponentType } from 'preact';
import { later } from './later.tsx';
import type { PageProps } from './pages/kit/page.tsx';

/** Pages beyond the taps, each fetched when somebody first goes there. */
const rooms: readonly (readonly [path: string, Room: ComponentType<PageProps>])[] = [
  ['/menu', later(() => import('./pages/menu/menu-page.tsx').then((module) => module.MenuPage))],
  ['/drinks', later(() => import('./pages/drinks/drinks-page.tsx').then((module) => module.DrinksPage))],
  ['/kegs', later(() => import('./pages/kegs/kegs-page.tsx').then((module) => module.KegsPage))],
  ['/kegs/:id', later(() => import('./pages/kegs/keg-page.tsx').then((module) => module.KegPage))],
  ['/taps/:id', later(() => import('./pages/tap-page.tsx').then((module) => module.TapPage))],
  [
    '/taps/:id/calibrate',
    later(() => import('./pages/calibration/calibrate-page.tsx').then((module) => module.CalibratePage)),
  ],
  [
    '/sessions',
    later(() => import('./pages/figures/sessions-page.tsx').then((module) => module.SessionsPage)),
  ],
  [
    '/statistics',
    later(() => import('./pages/figures/statistics-page.tsx').then((module) => module.StatisticsPage)),
  ],
  [
    '/controllers',
    later(() => import('./pages/controllers/controllers-page.tsx').then((module) => module.ControllersPage)),
  ],
  ['/wiring', later(() => import('./pages/wiring/wiring-page.tsx').then((module) => module.WiringPage))],
  ['/reports', later(() => import('./pages/reports/reports-page.tsx').then((module) => module.ReportsPage))],
  ['/users', later(() => import('./pages/account/users-page.tsx').then((module) => module.UsersPage))],
  ['/site', later(() => import('./pages/house/site-page.tsx').then((module) => module.SitePage))],
  ['/backups', later(() => import('./pages/house/backups-page.tsx').then((module) => module.BackupsPage))],
  ['/logs', later(() => import('./pages/house/logs-page.tsx').then((module) => module.LogsPage))],
  ['/mail', later(() => import('./pages/mail/mail-page.tsx').then((module) => module.MailPage))],
  [
    '/webhooks',
    later(() => import('./pages/webhooks/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  ],
  ['/audit', later(() => import('./pages/audit/audit-page.tsx').then((module) => module.AuditPage))],
  ['/account', later(() => import('./pages/account/account-page.tsx').then((module) => module.AccountPage))],
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
