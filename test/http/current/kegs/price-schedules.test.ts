import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createPopulatedServer } from '../populated-server.ts';
import { createStaffClient } from '../staff-client.ts';

let server: ReturnType<typeof createPopulatedServer>;
let staff: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createPopulatedServer();
  staff = createStaffClient(server);
});

const always = {
  name: 'Event',
  is_enabled: true,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  starts: '00:00',
  ends: '00:00',
  first_on: null,
  last_on: null,
  percent_off: 50,
  prices: [],
};

test('prices at the taps follow a schedule at once, and its undo', async () => {
  const { taps } = await staff.send('get', '/taps');
  const tap = taps.find(({ beverage }: { beverage: object | null }) => beverage !== null);
  const { serving_sizes: sizes } = await staff.send('get', '/serving-sizes');
  const price = { serving_size_id: sizes[0].id, price_minor: 480 };
  await staff.send('put', `/beverages/${tap.beverage.id}/prices`, { prices: [price] });
  const shown = async () => (await staff.send('get', `/taps/${tap.tap.id}`)).prices[0].price_minor;
  const added = await staff.create('/price-schedules', always);
  expect(await shown()).toBe(240);
  expect(await staff.send('get', '/price-schedules')).toEqual({
    paging: { total: 1, limit: 1, pos: 0, next: null, prev: null },
    active_schedule_id: added.price_schedule.id,
    price_schedules: [added.price_schedule],
  });
  const path = `/price-schedules/${added.price_schedule.id}`;
  const own = { beverage_id: tap.beverage.id, serving_size_id: sizes[0].id, price_minor: 300 };
  await staff.send('put', path, { ...always, prices: [own] });
  expect(await shown()).toBe(300);
  const removed = await staff.send('delete', path);
  expect(await shown()).toBe(480);
  await staff.send('post', `/corrections/${removed.correction_id}/undo`);
  expect(await shown()).toBe(300);
  // What staff set stays what they set.
  expect((await staff.send('get', `/beverages/${tap.beverage.id}/prices`)).prices).toEqual([price]);
});

test.each([
  [{ weekdays: [] }, 'weekdays'],
  [{ weekdays: [8] }, 'weekdays.0'],
  [{ starts: '24:00' }, 'starts'],
  [{ percent_off: 101 }, 'percent_off'],
  [{ first_on: '2026-02-30' }, 'first_on'],
  [{ name: '' }, 'name'],
])('a schedule with %o is refused by the field', async (wrong, field) => {
  const { fields } = await staff.expectError(400, 'post', '/price-schedules', { ...always, ...wrong });
  expect(Object.keys(fields)).toEqual([field]);
  expect((await staff.send('get', '/price-schedules')).price_schedules).toEqual([]);
});

test('schedules are for staff only, and one that does not exist is not found', async () => {
  await request(server.app).get('/api/price-schedules').expect(401);
  await request(server.app).post('/api/price-schedules').send(always).expect(401);
  await staff.expectError(404, 'put', '/price-schedules/99', always);
  await staff.expectError(404, 'delete', '/price-schedules/99');
});
