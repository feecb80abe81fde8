import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const hourMs = 3_600_000;

/** A bar with one serving size of 500 mL, in which a drink of that size is recorded each hour. */
async function openPricedBar() {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const startMs = Date.UTC(2026, 4, 3, 12);
  const goTo = (hours: number) => server.setClock({ wallMs: startMs + hours * hourMs });
  goTo(0);
  await anna.send('patch', '/admin/business', { currency: 'EUR' });
  const { serving_sizes: sizes } = await anna.send('put', '/serving-sizes', {
    serving_sizes: [{ volume_ml: 500 }],
  });
  const setPrice = (beverageId: number | string, minor: number, body: object = {}) =>
    anna.send('put', `/beverages/${beverageId}/prices`, {
      prices: [{ serving_size_id: sizes[0].id, price_minor: minor }],
      ...body,
    });
  const record = (tap: number) => insertDrink(server.store, { tap, ticks: 0, volumeMl: 500 }, server.now());
  const day = async () => (await anna.send('get', '/reports/days/2026-05-03')).day;
  const since = (hours: number) => new Date(startMs + hours * hourMs).toISOString();
  return { server, anna, goTo, setPrice, record, day, since };
}

test('a wrong price is corrected since a time, the reply tells what that changes, and undo takes it back', async () => {
  const { anna, goTo, setPrice, record, day, since } = await openPricedBar();
  await setPrice(1, 400);
  record(1);
  goTo(1);
  await setPrice(1, 45);
  record(1);
  goTo(2);
  await setPrice(1, 46);
  record(1);
  expect((await day()).revenue).toBe(4.91);

  goTo(3);
  const { revalued, correction_id: id } = await setPrice(1, 450, { since: since(0.5) });
  expect(revalued).toEqual({ drinks: 2, revenue_before_minor: 91, revenue_after_minor: 900 });
  expect((await day()).revenue).toBe(13);
  const [entry] = (await anna.send('get', '/audit?limit=1')).entries;
  expect(entry).toMatchObject({
    action: 'beverage.priced',
    before: { revenue: '0.91 EUR' },
    after: { revenue: '9.00 EUR' },
    can_undo: true,
  });
  await anna.send('post', `/corrections/${id}/undo`);
  expect((await day()).revenue).toBe(4.91);
  expect((await anna.send('get', '/beverages/1/prices')).prices).toMatchObject([{ price_minor: 46 }]);
});

test('a new price changes no earlier drink, and says so', async () => {
  const { goTo, setPrice, record, day } = await openPricedBar();
  await setPrice(1, 400);
  record(1);
  goTo(1);
  expect((await setPrice(1, 500)).revalued).toBeNull();
  expect((await day()).revenue).toBe(4);
});

test('the drinks of a merged duplicate keep its prices, also once the kept beverage is corrected for a later time', async () => {
  const { anna, goTo, setPrice, record, day, since, server } = await openPricedBar();
  const { beverage } = await anna.create('/beverages', { name: 'Helles', producer_id: 1 });
  const keg = server.engine.kegs.start(
    server.right.id,
    { beverage: { id: Number(beverage.id) } },
    server.now(),
  );
  await setPrice(1, 400);
  await setPrice(beverage.id, 300);
  record(1);
  record(2);
  goTo(1);
  const { merge_id: merge } = await anna.send('post', '/beverages/1/merge', { beverage_id: beverage.id });
  expect((await day()).revenue).toBe(7);
  record(2);
  expect((await day()).revenue).toBe(11);

  goTo(2);
  await setPrice(1, 500, { since: since(0.5) });
  expect((await day()).revenue).toBe(12);
  // Since before the merge: a correction of all drinks of the kegs that are of this beverage now.
  const { revalued, correction_id: id } = await setPrice(1, 500, { since: since(-1) });
  expect(revalued).toEqual({ drinks: 3, revenue_before_minor: 1_200, revenue_after_minor: 1_500 });
  await anna.send('post', `/corrections/${id}/undo`);
  expect((await day()).revenue).toBe(12);

  goTo(3);
  await anna.send('post', `/merges/${merge}/undo`);
  expect((await day()).revenue).toBe(12);
  record(2);
  expect((await day()).revenue).toBe(15);
  // The keg was the other beer all the time: all its drinks have that one's prices, and undo takes it back.
  const changed = await anna.send('patch', `/kegs/${keg.id}`, { beverage_id: 1 });
  expect((await day()).revenue).toBe(4 + 4 + 5 + 5);
  await anna.send('post', `/corrections/${changed.correction_id}/undo`);
  expect((await day()).revenue).toBe(15);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('the prices of a beverage that was merged into another are not undone', async () => {
  const { anna, setPrice } = await openPricedBar();
  const { beverage } = await anna.create('/beverages', { name: 'Helles', producer_id: 1 });
  const { correction_id: id } = await setPrice(beverage.id, 300);
  await anna.send('post', '/beverages/1/merge', { beverage_id: beverage.id });
  const refused = await anna.expectError(409, 'post', `/corrections/${id}/undo`);
  expect(refused.reason).toEqual({ name: 'record_changed_since' });
});

test('prices are corrected for the last 92 days only, and never from the future on', async () => {
  const { anna, since } = await openPricedBar();
  for (const hours of [1, -92 * 24]) {
    const { rules } = await anna.expectError(400, 'put', '/beverages/1/prices', {
      prices: [],
      since: since(hours),
    });
    expect(rules).toEqual({ since: { name: 'days_back', most: 92 } });
  }
});
