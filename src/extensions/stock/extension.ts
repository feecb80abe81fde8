import { defineExtension } from '../extension.ts';
import { stockAlarms } from './core/alarm-kinds.ts';
import { stockStore } from './store/stock-store.ts';

/** What kegs cost and how long they keep: deliveries, the kegs in stock and on taps, counts of the stock, and when to order. */
export const stock = defineExtension({
  ...stockStore,
  isOnByDefault: true,
  services: async () => (await import('./engine/stock-services.ts')).createStockServices,
  hooks: ({ kegCost, costPerMl, alarmConditions }) => ({ kegCost, costPerMl, alarmConditions }),
  alarms: stockAlarms,
  addresses: ['/stock', '/stock-counts', '/deliveries', '/kegs/{id}/purchase', '/kegs/{id}/label'],
  tags: {
    deliveries: 'Kegs that came together.',
    stock: 'Kegs in stock and on taps, with cost and dates, and what to order.',
    'stock-counts': 'Counts of the kegs in stock, with the differences from the records.',
  },
  routes: async () => (await import('./http/routes.ts')).allStockRoutes,
  pages: ['/stock'],
  texts: [
    'stock.',
    'export.kinds.purchases',
    'export.kinds.stock_counts',
    'stockCount.',
    'scan.',
    'audit.actions.stock.',
    'audit.actions.keg.label_',
    'audit.actions.keg.purchase_',
    'audit.actions.keg.received',
    'audit.subjects.stock_count',
  ],
});
