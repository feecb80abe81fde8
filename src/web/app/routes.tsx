import type { ComponentType } from 'preact';
import type { PageProps } from '../components/page.tsx';
import { lazyPage } from './lazy-page.tsx';

/** Pages besides the taps; each is loaded on first use. */
const routes: readonly (readonly [path: string, Page: ComponentType<PageProps>])[] = [
  ['/menu', lazyPage(() => import('../pages/kegs/menu-page.tsx').then((module) => module.MenuPage))],
  ['/drinks', lazyPage(() => import('../pages/drinks/drinks-page.tsx').then((module) => module.DrinksPage))],
  ['/kegs', lazyPage(() => import('../pages/kegs/kegs-page.tsx').then((module) => module.KegsPage))],
  ['/kegs/:id', lazyPage(() => import('../pages/kegs/keg-page.tsx').then((module) => module.KegPage))],
  ['/taps/:id', lazyPage(() => import('../pages/taps/tap-page.tsx').then((module) => module.TapPage))],
  [
    '/taps/:id/calibrate',
    lazyPage(() =>
      import('../pages/taps/calibration/calibrate-page.tsx').then((module) => module.CalibratePage),
    ),
  ],
  [
    '/sessions',
    lazyPage(() =>
      import('../pages/reports/statistics/sessions-page.tsx').then((module) => module.SessionsPage),
    ),
  ],
  [
    '/statistics',
    lazyPage(() =>
      import('../pages/reports/statistics/statistics-page.tsx').then((module) => module.StatisticsPage),
    ),
  ],
  [
    '/controllers',
    lazyPage(() =>
      import('../pages/controllers/controllers-page.tsx').then((module) => module.ControllersPage),
    ),
  ],
  [
    '/wiring',
    lazyPage(() => import('../pages/taps/wiring/wiring-page.tsx').then((module) => module.WiringPage)),
  ],
  [
    '/reports',
    lazyPage(() => import('../pages/reports/reports-page.tsx').then((module) => module.ReportsPage)),
  ],
  ['/users', lazyPage(() => import('../pages/users/users-page.tsx').then((module) => module.UsersPage))],
  ['/site', lazyPage(() => import('../pages/site/site-page.tsx').then((module) => module.SitePage))],
  ['/backups', lazyPage(() => import('../pages/site/backups-page.tsx').then((module) => module.BackupsPage))],
  ['/logs', lazyPage(() => import('../pages/site/logs-page.tsx').then((module) => module.LogsPage))],
  ['/mail', lazyPage(() => import('../pages/notifications/mail-page.tsx').then((module) => module.MailPage))],
  [
    '/webhooks',
    lazyPage(() => import('../pages/notifications/webhooks-page.tsx').then((module) => module.WebhooksPage)),
  ],
  [
    '/audit',
    lazyPage(() => import('../pages/reports/audit/audit-page.tsx').then((module) => module.AuditPage)),
  ],
  [
    '/account',
    lazyPage(() => import('../pages/users/account-page.tsx').then((module) => module.AccountPage)),
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
