import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';
import { createStaffClient } from '../staff-client.ts';

const stout = {
  beverage: { name: 'Stout', producerName: 'Schwarz', styleName: 'Dry Stout' },
  sizeKey: 'corny',
} as const;

let server: TestServer;
let anna: ReturnType<typeof createStaffClient>;

beforeEach(() => {
  server = createTestServer();
  anna = createStaffClient(server);
});

const readNext = async (tap: string) =>
  (await request(server.app).get(`/api/taps/${tap}`).expect(200)).body.result.next;

test('shows the next keg of a tap to everybody until it is tapped', async () => {
  const keg = server.engine.kegs.create(stout, server.now());
  expect(await readNext('1')).toBeNull();
  const changed = await anna.send('put', '/taps/pi.flow0/next', { keg_id: keg.id });
  expect(changed.next).toMatchObject({ keg_id: keg.id, beverage: { name: 'Stout' } });
  expect(await readNext('1')).toEqual(changed.next);
  await anna.send('post', '/taps/2/attach-keg', { keg_id: keg.id });
  expect(await readNext('1')).toBeNull();
});

test('a keg can be next on one tap only', async () => {
  const keg = server.engine.kegs.create(stout, server.now());
  await anna.send('put', '/taps/1/next', { keg_id: keg.id });
  await anna.send('put', '/taps/2/next', { keg_id: String(keg.id) });
  expect(await readNext('1')).toBeNull();
  expect(await readNext('2')).toMatchObject({ keg_id: keg.id });
});

test('shows a next beverage without a keg until a keg of it is tapped there', async () => {
  const { id: kegId, beverageId } = server.engine.kegs.create(stout, server.now());
  await anna.send('put', '/taps/2/next', { beverage_id: beverageId });
  expect(await readNext('2')).toMatchObject({ keg_id: null, beverage: { name: 'Stout' } });
  await anna.send('post', '/taps/3/attach-keg', { keg_id: kegId });
  // The keg went to another tap, so this tap's entry stays.
  expect(await readNext('2')).toMatchObject({ keg_id: null });
  server.engine.kegs.start(server.right.id, stout, server.now());
  expect(await readNext('2')).toBeNull();
});

test('a next keg that is ended or deleted is not shown any more', async () => {
  const [ended, removed] = [1, 2].map(() => server.engine.kegs.create(stout, server.now()));
  await anna.send('put', '/taps/1/next', { keg_id: ended!.id });
  await anna.send('put', '/taps/2/next', { keg_id: removed!.id });
  server.engine.kegs.endOffTap(ended!.id, server.now());
  server.engine.kegs.remove(removed!.id);
  expect([await readNext('1'), await readNext('2')]).toEqual([null, null]);
});

test('staff can delete the next keg, and only staff can set it', async () => {
  const keg = server.engine.kegs.create(stout, server.now());
  await anna.send('put', '/taps/1/next', { keg_id: keg.id });
  await anna.send('delete', '/taps/1/next');
  expect(await readNext('1')).toBeNull();
  for (const key of ['', server.guestKey]) {
    const reply = await request(server.app)
      .put('/api/taps/1/next')
      .set('X-Kegbot-Api-Key', key)
      .send({ keg_id: keg.id });
    expect(reply.status).toBe(key === '' ? 401 : 403);
  }
  expect(server.engine.audit.list({ action: 'tap.next_set' }).items).toMatchObject([
    { username: 'anna', subject: { kind: 'tap', id: '1' } },
    { username: 'anna' },
  ]);
});

test('staff can set the next keg by PIN unlock, and the audit log names user and tablet', async () => {
  const { app, engine, now, createTabletCookie, createUnlockedTablet, setClock } = server;
  const keg = engine.kegs.create(stout, now());
  const byPin = createUnlockedTablet('Bar left', 'anna');
  const announce = (headers: Record<string, string>) =>
    request(app).put('/api/taps/1/next').set(headers).send({ keg_id: keg.id });
  const withoutPin = await announce({ Cookie: createTabletCookie('Bar right') }).expect(401);
  expect(withoutPin.body.error.fields).toEqual({ pin: 'is needed' });
  await announce(byPin).expect(200);
  expect(await readNext('1')).toMatchObject({ keg_id: keg.id });
  await request(app).delete('/api/taps/1/next').set(byPin).expect(200);
  expect(await readNext('1')).toBeNull();
  const byAnna = { username: 'anna', via: 'tablet', tablet: 'Bar left' };
  expect(engine.audit.list({ action: 'tap.next_set' }).items).toMatchObject([byAnna, byAnna]);
  setClock({ monoMs: now().monoMs + 60_000, wallMs: now().wallMs + 60_000 });
  await announce(byPin).expect(401);
  expect(await readNext('1')).toBeNull();
});

test.each([
  [400, {}],
  [400, { keg_id: 2, beverage_id: 1 }],
  [400, { keg_id: 99 }],
  [400, { beverage_id: 99 }],
  // Keg 1 is on tap already.
  [409, { keg_id: 1 }],
])('refuses with %i: %j', async (status, body) => {
  server.engine.kegs.create(stout, server.now());
  const { fields, rules } = await anna.expectError(status, 'put', '/taps/2/next', body);
  // Every invalid field has a named rule, which pages translate.
  expect(Object.keys(rules ?? {})).toEqual(Object.keys(fields ?? {}));
  expect(await readNext('2')).toBeNull();
});

test('shows the prices of the beer to everybody', async () => {
  const [size] = (await anna.send('get', '/serving-sizes')).serving_sizes;
  await anna.send('put', '/beverages/1/prices', {
    prices: [{ serving_size_id: size.id, price_minor: 480 }],
  });
  const { price, prices } = (await request(server.app).get('/api/taps/1').expect(200)).body.result;
  expect(price).toEqual({ serving_ml: size.volume_ml, price_minor: 480, currency: prices[0].currency });
  expect(prices).toMatchObject([{ serving_size_id: size.id, price_minor: 480 }]);
});
