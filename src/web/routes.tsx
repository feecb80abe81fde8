import type { ComponentType } from 'preact';
import type { PageProps } from './components/page.tsx';
import { lazyPage } from './lazy-page.tsx';

/** Pages besides the taps; each is loaded on first use. */
const routes: readonly (readonly [path: string, Page: ComponentType<PageProps>])[] = [
  ['/menu', lazyPage(() => import('./pages/menu/menu-page.tsx').then((module) => module.MenuPage))],
  ['/drinks', lazyPage(() => import('./pages/drinks/drinks-page.tsx').then((module) => module.DrinksPage))],
  ['/kegs', lazyPage(() => import('./pages/kegs/kegs-page.tsx').then((module) => module.KegsPage))],
  ['/kegs/:id', lazyPage(() => import('./pages/kegs/keg-page.tsx').then((module) => module.KegPage))],
  ['/taps/:id', lazyPage(() => import('./pages/tap-page.tsx').then((module) => module.TapPage))],
  [
    '/taps/:id/calibrate',
    lazyPage(() => import('./pages/calibration/calibrate-page.tsx').then((module) => module.CalibratePage)),
  ],
  [
    '/sessions',
    lazyPage(() => import('./pages/statistics/sessions-page.tsx').then((module) => module.SessionsPage)),
  ],
  [
    '/statistics',
    lazyPage(() => import('./pages/statistics/statistics-page.tsx').then((module) => module.StatisticsPage)),
  ],
  [
    '/controllers',
    lazyPage(() =>
      import('./pages/controllers/controllers-page.tsx').then((module) => module.ControllersPage),
    ),
  ],
  ['/wiring', lazyPage(() => import('./pages/wiring/wiring-page.tsx').then((module) => module.WiringPage))],
  [
    '/reports',
    lazyPage(() => import('./pages/reports/reports-page.tsx').then((module) => module.ReportsPage)),
  ],
  ['/users', lazyPage(() => import('./pages/account/users-page.tsx').then((module) => module.UsersPage))],
  ['/site', lazyPage(() => import('./pages/site/site-page.tsx').then((module) => module.SitePage))],
  ['/backups', lazyPage(() => import('./pages/site/backups-page.tsx').then((module) => module.BackupsPage))],
  ['/logs', lazyPage(() => import('./pages/site/logs-page.tsx').then((module) => module.LogsPage))],
  ['/mail', lazyPage(() => import('./pages/mail/mail-page.tsx').then((module) => module.MailPage))],
  [
    '/webhooks',
    lazyPage(() => import('./pages/webhooks/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  ],
  ['/audit', lazyPage(() => import('./pages/audit/audit-page.tsx').then((module) => module.AuditPage))],
  [
    '/account',
    lazyPage(() => import('./pages/account/account-page.tsx').then((module) => module.AccountPage)),
  ],
];

/** Returns the page at a path with the value of `:id`, or null. */
export function matchRoute(
  path: string,
): { readonly Page: ComponentType<PageProps>; readonly id: string } | null {
  for (const [pattern, Page] of routes) {
    const match = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path);
    if (match) return { Page, id: decodeURIComponent(match[1] ?? '') };
  }
  return null;
}
