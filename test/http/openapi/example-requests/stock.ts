import type { ExampleRequests } from './example-request.ts';

const happyHour = {
  name: 'Happy hour',
  is_enabled: true,
  weekdays: [1, 2, 3, 4],
  starts: '17:00',
  ends: '19:00',
  first_on: null,
  last_on: null,
  percent_off: 20,
  prices: [],
};
const stockCount = {
  lines: [
    { beverage_id: 1, keg_type: 'euro-30-liter', counted: 0, reason: 'given_away' },
    { beverage_id: 1, keg_type: 'corny', counted: 1, reason: 'not_recorded' },
  ],
  note: 'After the summer festival',
};
const counted = [['post', '/stock-counts', stockCount]] as const;
const before = [['post', '/price-schedules', happyHour]] as const;
const params = { id: 1 };

/** Deliveries, counts of the stock, and prices at times. */
export const stockRequests: ExampleRequests = {
  addDelivery: {
    body: {
      keg: { beverage_id: 1, keg_type: 'half-barrel' },
      count: 2,
      purchase: { supplier: 'Nordbräu', best_before: '2026-08-31', cost_minor: 12_900, deposit_minor: 3_000 },
    },
  },
  listStockCounts: { before: counted },
  addStockCount: { body: stockCount },
  getStockCountsCsv: { before: counted },
  listPriceSchedules: { before },
  addPriceSchedule: { body: happyHour },
  changePriceSchedule: { before, params, body: { ...happyHour, ends: '20:00' } },
  movePriceSchedule: { before, params, body: { place: 1 } },
  removePriceSchedule: { before, params },
};
