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
const before = [['post', '/price-schedules', happyHour]] as const;
const params = { id: 1 };

/** Prices at times. */
export const priceScheduleRequests: ExampleRequests = {
  listPriceSchedules: { before },
  addPriceSchedule: { body: happyHour },
  changePriceSchedule: { before, params, body: { ...happyHour, ends: '20:00' } },
  movePriceSchedule: { before, params, body: { place: 1 } },
  removePriceSchedule: { before, params },
};
