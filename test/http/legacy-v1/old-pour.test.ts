import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../test-server.ts';

const nowSeconds = openingMs / 1000;
const year = 365 * 86_400;

const post = (server: TestServer, fields: Record<string, string>) =>
  request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .type('form')
    .send({ api_key: server.staffKey, ticks: '660', ...fields })
    .expect(200);

/** A pour by a controller whose clock was set between the pour and its report. */
const postOldPour = (server: TestServer) => post(server, { pour_time: '5', now: String(nowSeconds) });

const get = async (server: TestServer, path: string) =>
  (await request(server.app).get(path).query({ api_key: server.staffKey }).expect(200)).body.result;

const firstSecond = '1970-01-01T00:00:05Z';

test('a pour dated 1970 is recorded with that time, and its time is marked as uncertain', async () => {
  const server = createTestServer();
  const { drink, keg } = (await postOldPour(server)).body.result;
  expect(drink).toMatchObject({
    volume_ml: 330,
    pour_time: firstSecond,
    is_valid: true,
    keg_id: server.keg.id,
  });
  expect(keg.volume_ml_remain).toBe(30_000 - 330);
  expect((await get(server, `/api/drinks/${drink.id}`)).drink).toMatchObject({
    pour_time: firstSecond,
    time_certain: false,
  });
});

test.each([
  ['10 days ago', 10 * 86_400, true],
  ['a year ago', year, true],
  ['a year and a second ago', year + 1, false],
])('a pour that ended %s has a certain time: %s', async (_age, seconds, isCertain) => {
  const server = createTestServer();
  const { id } = (await post(server, { pour_time: String(nowSeconds - seconds), now: String(nowSeconds) }))
    .body.result.drink;
  expect(server.engine.drinks.get(id)?.drink.timeCertain).toBe(isCertain);
  const { drink } = await get(server, `/api/drinks/${id}`);
  expect(drink.time_certain).toBe(isCertain);
});

test('the mark stays when the clock of this machine is set', async () => {
  const server = createTestServer();
  server.setClock({ synced: false });
  await postOldPour(server);
  server.setClock({ synced: true, wallMs: openingMs + 86_400_000 });
  expect(server.engine.drinks.clockCorrection.correct(server.now())).toBe(0);
  expect(server.engine.drinks.newest(1)).toMatchObject([{ pourTimeMs: 5_000, timeCertain: false }]);
});

test('the latest pours of the page and of the status begin with the latest, not with the one recorded last', async () => {
  const server = createTestServer();
  await post(server, {});
  for (let count = 0; count < 20; count++) {
    await post(server, { pour_time: String(5 + 3 * count), now: String(nowSeconds) });
  }
  expect(server.engine.drinks.latest(3).map(({ id }) => id)).toEqual([1, 21, 20]);
  const status = await get(server, '/api/v1/status');
  expect(status.drinks[0]).toMatchObject({ id: 1, pour_time: '2026-05-02T17:00:00Z' });
});

test('it has a session of its own and leaves the running one and the keg’s times as they are', async () => {
  const server = createTestServer();
  await post(server, {});
  await postOldPour(server);
  const { sessions } = await get(server, '/api/sessions');
  expect(sessions).toMatchObject([
    { start_time: firstSecond, end_time: '1970-01-01T03:00:05Z', volume_ml: 330 },
    { start_time: '2026-05-02T17:00:00Z', end_time: '2026-05-02T20:00:00Z', volume_ml: 330 },
  ]);
  expect((await get(server, '/api/sessions/current')).session).toMatchObject({
    start_time: '2026-05-02T17:00:00Z',
  });
  server.engine.kegs.end(server.keg.id, server.now());
  server.engine.drinks.clockCorrection.correct(server.now());
  expect(server.engine.kegs.get(server.keg.id)?.startedTimeMs).toBe(openingMs);
});

test('the directory of sessions and the statistics have two years, not 56', async () => {
  const server = createTestServer();
  await post(server, {});
  await postOldPour(server);
  const { years } = await get(server, '/api/sessions/directory');
  expect(years.map((entry: { year: number; count: number }) => [entry.year, entry.count])).toEqual([
    [2026, 1],
    [1970, 1],
  ]);
  const statistics = server.engine.reports.statistics.get({ kind: 'site' })!;
  expect([...statistics.byYear]).toEqual([
    [1970, 330],
    [2026, 330],
  ]);
  expect(server.engine.site.checkDatabase()).toEqual([]);
});
