import { request } from '../../../web/api/client.ts';
import type { WebExtension } from '../../../web/app/extension.ts';
import { t } from '../../../web/locales/locale.ts';

export const stockPages: WebExtension = {
  name: 'stock',
  labelKey: 'stock.title',
  aboutKey: 'stock.why',
  alarmKinds: ['keg_not_fresh'],
  pages: [{ path: '/stock', load: async () => (await import('./stock-page.tsx')).StockPage }],
  menu: [
    {
      path: '/stock',
      labelKey: 'stock.title',
      audience: 'staff',
      group: 'bar',
      after: '/kegs',
      icon: 'keg',
    },
  ],
  slots: {
    kegDetails: async () => (await import('./purchase-of-keg.tsx')).PurchaseOfKeg,
    async kegsInOrder() {
      const answer = await request('GET /stock');
      return answer.ok ? answer.result.stock.kegs.map(({ keg_id }) => keg_id) : null;
    },
    exportKinds: () => ['purchases', 'stock_counts'],
    kegCosts: () => ({ path: '/stock', text: t('stock.title') }),
  },
};
