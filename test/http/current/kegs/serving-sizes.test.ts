import request from 'supertest';
import { expect, test } from 'vitest';
import { mlPerOz, mlPerUkPint } from '../../../../src/core/kegs/volume-units.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const volumes = (result: { serving_sizes: readonly { volume_ml: number }[] }) =>
  result.serving_sizes.map(({ volume_ml: ml }) => ml);

test('the sizes follow from the units until staff change them', async () => {
  const anna = createStaffClient(createTestServer());
  const list = async () => volumes(await anna.send('get', '/serving-sizes'));
  const choose = (units: string) => anna.send('patch', '/site', { volume_display_units: units });
  expect(await list()).toEqual([4, 10, 16].map((oz) => oz * mlPerOz));
  await choose('metric');
  expect(await list()).toEqual([200, 300, 400, 500]);
  await choose('uk');
  expect(await list()).toEqual([1 / 3, 1 / 2, 2 / 3, 1].map((pints) => pints * mlPerUkPint));
  await anna.send('put', '/serving-sizes', { serving_sizes: [{ volume_ml: 250 }] });
  await choose('metric');
  expect(await list()).toEqual([250]);
});

test('adds, renames, reorders and deletes sizes in one request, which is in the audit log', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('patch', '/site', { volume_display_units: 'metric' });
  const [small, , , half] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  const { serving_sizes: stored } = await anna.send('put', '/serving-sizes', {
    serving_sizes: [
      { ...half, name: 'Pint', names: { de: 'Halbe', fr: '' } },
      { id: small.id, volume_ml: 200 },
      { volume_ml: 1_000, name: 'Jug' },
    ],
  });
  expect(stored).toEqual([
    { id: half.id, volume_ml: 500, name: 'Pint', names: { de: 'Halbe' } },
    { id: small.id, volume_ml: 200, name: '', names: {} },
    { id: expect.any(Number), volume_ml: 1_000, name: 'Jug', names: {} },
  ]);
  expect(server.engine.audit.list({}).items[0]).toMatchObject({
    username: 'anna',
    action: 'site.serving_sizes_set',
    before: '{"serving_sizes":"200 mL, 300 mL, 400 mL, 500 mL"}',
    after: '{"serving_sizes":"Pint 500 mL, 200 mL, Jug 1000 mL"}',
  });
});

test.each([
  ['a volume of 0', { volume_ml: 0 }],
  ['an unknown id', { id: 99, volume_ml: 300 }],
  ['a name of 65 characters', { volume_ml: 300, name: 'x'.repeat(65) }],
  ['a name in no language', { volume_ml: 300, names: { 'not a tag': 'x' } }],
])('refuses %s and keeps the list', async (_, size) => {
  const anna = createStaffClient(createTestServer());
  const before = await anna.send('get', '/serving-sizes');
  await anna.expectError(400, 'put', '/serving-sizes', { serving_sizes: [{ volume_ml: 200 }, size] });
  expect(await anna.send('get', '/serving-sizes')).toEqual(before);
});

test('a beverage has a price per size, in the smallest unit of the currency', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  await anna.send('patch', '/site', { volume_display_units: 'metric' });
  const [, third, , half] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  expect(await anna.send('get', '/beverages/1/prices')).toMatchObject({ currency: 'EUR', prices: [] });
  const prices = [
    { serving_size_id: third.id, price_minor: 320 },
    { serving_size_id: half.id, price_minor: 480 },
  ];
  // The reply is in the order of the sizes.
  expect(await anna.send('put', '/beverages/1/prices', { prices: prices.toReversed() })).toMatchObject({
    currency: 'EUR',
    prices,
  });
  const { taps } = (await request(server.app).get('/api/taps')).body.result;
  expect(taps[0].price).toEqual({ serving_ml: 300, price_minor: 320, currency: 'EUR' });
  expect(taps[0].prices).toEqual([
    { serving_size_id: third.id, volume_ml: 300, name: '', names: {}, price_minor: 320, currency: 'EUR' },
    { serving_size_id: half.id, volume_ml: 500, name: '', names: {}, price_minor: 480, currency: 'EUR' },
  ]);
  expect(server.engine.audit.list({}).items[0]).toMatchObject({
    action: 'beverage.priced',
    before: '{"name":"Haus Helles","prices":""}',
    after: '{"name":"Haus Helles","prices":"300 mL 3.20 EUR, 500 mL 4.80 EUR"}',
  });
  // A deleted size takes its price with it.
  await anna.send('put', '/serving-sizes', { serving_sizes: [half] });
  expect((await anna.send('get', '/beverages/1/prices')).prices).toEqual([prices[1]]);
  await anna.send('put', '/beverages/1/prices', { prices: [] });
  expect((await anna.send('get', '/taps')).taps[0]).toMatchObject({ price: null, prices: [] });
});

test('refuses prices of unknown sizes, twice the same size, fractions and a clock that is not set', async () => {
  const server = createTestServer();
  const anna = createStaffClient(server);
  const [size] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  const refuse = (status: number, ...prices: object[]) =>
    anna.expectError(status, 'put', '/beverages/1/prices', { prices });
  const price = { serving_size_id: size.id, price_minor: 300 };
  await refuse(400, { ...price, serving_size_id: 99 });
  await refuse(400, price, price);
  await refuse(400, { ...price, price_minor: 3.5 });
  await refuse(400, { ...price, price_minor: -1 });
  await anna.expectError(404, 'put', '/beverages/99/prices', { prices: [] });
  await anna.expectError(404, 'get', '/beverages/99/prices');
  server.setClock({ synced: false });
  expect((await refuse(409, price)).reason).toEqual({ name: 'clock_not_set' });
});

test.each([
  ['EUR', 480, 4.8],
  ['EUR', 1, 0.01],
  ['EUR', 0, 0],
  ['JPY', 480, 480],
  ['KWD', 1_255, 1.255],
])(
  'revenue in %s values a drink by the size nearest to its volume, at the price of its time',
  async (currency, minor, revenue) => {
    const server = createTestServer();
    const anna = createStaffClient(server);
    const nowMs = Date.UTC(2026, 4, 3, 18);
    server.setClock({ wallMs: nowMs });
    await anna.send('patch', '/admin/business', { currency });
    const { serving_sizes: sizes } = await anna.send('put', '/serving-sizes', {
      serving_sizes: [{ volume_ml: 250 }, { volume_ml: 500 }],
    });
    const price = (small: number, large: number) =>
      anna.send('put', '/beverages/1/prices', {
        prices: [small, large].map((sum, n) => ({ serving_size_id: sizes[n].id, price_minor: sum })),
      });
    await price(999, minor);
    insertDrink(server.store, { ticks: 0, volumeMl: 500 }, server.now());
    const { price: atTap } = await anna.send('get', '/taps/1');
    expect(atTap).toEqual({ serving_ml: 250, price_minor: 999, currency });
    server.setClock({ wallMs: nowMs + 60_000 });
    await price(1, 1);
    const { day } = await anna.send('get', '/reports/days/2026-05-03');
    expect(day.revenue).toBe(revenue);
  },
);
