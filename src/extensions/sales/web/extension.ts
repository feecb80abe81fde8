import type { WebExtension } from '../../../web/app/extension.ts';
import { t } from '../../../web/locales/locale.ts';

export const salesPages: WebExtension = {
  name: 'sales',
  labelKey: 'sales.title',
  aboutKey: 'sales.why',
  alarmKinds: ['balance_differs'],
  pages: [
    { path: '/sales', load: async () => (await import('./sales-page.tsx')).SalesPage },
    { path: '/sales/balance', load: async () => (await import('./balance/balance-page.tsx')).BalancePage },
    { path: '/sales/import', load: async () => (await import('./import-page.tsx')).ImportPage },
    { path: '/sales/money', load: async () => (await import('./money/money-page.tsx')).MoneyPage },
    {
      path: '/sales/by-person',
      load: async () => (await import('./by-person/by-person-page.tsx')).ByPersonPage,
    },
    { path: '/sales/lines', load: async () => (await import('./lines-page.tsx')).LinesPage },
    { path: '/sales/tills/:id', load: async () => (await import('./products/till-page.tsx')).TillPage },
  ],
  menu: [
    {
      path: '/sales',
      labelKey: 'sales.title',
      audience: 'staff',
      group: 'bar',
      after: '/reports',
      icon: 'list',
    },
  ],
  slots: {
    beerDetails: async () => (await import('./beer-servings.tsx')).BeerServings,
    reportLinks: () => [
      { path: '/sales/balance', text: t('balance.title') },
      { path: '/sales/money', text: t('money.title') },
    ],
    reportSettings: async () => (await import('./shifts.tsx')).Shifts,
    exportKinds: () => ['sales'],
  },
};
