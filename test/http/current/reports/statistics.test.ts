import request from 'supertest';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/shared/audit.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer } from '../../test-server.ts';
import { createPopulatedServer } from '../populated-server.ts';

type TestServer = ReturnType<typeof createTestServer>;
const getStats = async ({ app }: Pick<TestServer, 'app'>, path: string) =>
  (await request(app).get(`/api${path}`).expect(200)).body.result.stats;

test('computes the statistics of all drinks', async () => {
  const server = createPopulatedServer();
  expect(await getStats(server, '/stats')).toEqual({
    last_drink_id: 6,
    keg_ids: [1],
    total_volume_ml: 1900,
    total_pours: 6,
    average_volume_ml: 1900 / 6,
    greatest_volume_ml: 500,
    greatest_volume_id: 3,
    volume_by_day_of_week: { 0: 500, 6: 1400 },
    volume_by_year: { 2026: 1900 },
    registered_drinkers: ['anna', 'bert', 'guest'],
    volume_by_drinker: { anna: 800, bert: 900, guest: 200 },
    volume_by_session: { 1: 1400, 2: 500 },
    sessions_count: 2,
    has_guest_pour: true,
    largest_session: { session_id: '1', volume_ml: 1400 },
  });
  expect(await getStats(server, '/stats/system')).toEqual(await getStats(server, '/stats'));
});

test('computes the statistics of a user, a keg and a session', async () => {
  const server = createPopulatedServer();
  expect(await getStats(server, '/users/bert/stats')).toMatchObject({
    total_volume_ml: 900,
    total_pours: 3,
    keg_ids: [1],
    volume_by_session: { 1: 400, 2: 500 },
    volume_by_drinker: { bert: 900 },
    has_guest_pour: false,
    largest_session: { session_id: '1', volume_ml: 1400 },
  });
  expect(await getStats(server, '/kegs/1/stats')).toMatchObject({
    total_volume_ml: 1700,
    volume_by_drinker: { anna: 800, bert: 700, guest: 200 },
    sessions_count: 2,
  });
  expect(await getStats(server, '/sessions/2/stats')).toMatchObject({
    total_volume_ml: 500,
    registered_drinkers: ['bert'],
    largest_session: { session_id: '2', volume_ml: 500 },
    has_guest_pour: false,
  });
});

test('statistics without drinks are empty, and 404 for unknown items', async () => {
  const { app } = createPopulatedServer();
  expect(await getStats({ app }, '/kegs/2/stats')).toEqual({});
  expect(await getStats({ app: createTestServer().app }, '/stats')).toEqual({});
  for (const path of ['/kegs/9/stats', '/sessions/9/stats', '/users/nobody/stats']) {
    await request(app).get(`/api${path}`).expect(404);
  }
});

test('a cancelled drink leaves the statistics at once', async () => {
  const server = createPopulatedServer();
  const { engine } = server;
  engine.drinks.cancel(3, { spilled: false }, { monoMs: 0, wallMs: 0, synced: false, bootId: 'b' });
  expect(await getStats(server, '/stats')).toMatchObject({
    total_volume_ml: 1400,
    greatest_volume_id: 2,
    volume_by_day_of_week: { 0: 500, 6: 900 },
    volume_by_drinker: { anna: 300, bert: 900, guest: 200 },
  });
});

test('lists the 100 users who drank most, however long ago', async () => {
  const server = createTestServer();
  const { engine, store } = server;
  const now = { monoMs: 0, wallMs: Date.UTC(2026, 4, 2, 18), synced: true, bootId: 'boot-1' };
  for (let i = 0; i < 130; i++) {
    engine.users.addUser({ username: `guest${i}` }, now);
    insertDrink(store, { tap: 'pi.flow0', ticks: 2, username: `guest${i}` }, now);
  }
  insertDrink(store, { tap: 'pi.flow0', ticks: 2, username: 'guest0' }, now);
  engine.drinks.edit(5, { volumeMl: 900 }, now);
  const stats = await getStats(server, '/stats');
  const expected = ['guest0', 'guest4', ...Array.from({ length: 98 }, (_, i) => `guest${i + 32}`)];
  expect(stats.registered_drinkers).toEqual(expected);
  expect(stats.volume_by_drinker.guest0).toBe(2);
});

test('the statistics contain every drink at once', async () => {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: Date.UTC(2026, 4, 2, 18), synced: true, bootId: 'boot-1' };
  for (let i = 0; i < 700; i++) insertDrink(server.store, { tap: 'pi.flow0', ticks: 2 }, now);
  expect(await getStats(server, '/stats')).toMatchObject({ total_pours: 700, total_volume_ml: 700 });
  expect(server.engine.site.checkDatabase()).toEqual([]);
});

test('the session directory lists the days on which sessions began', async () => {
  const { app } = createPopulatedServer();
  const { body } = await request(app).get('/api/sessions/directory').expect(200);
  const days = [
    { day: 3, count: 1 },
    { day: 2, count: 1 },
  ];
  expect(body.result).toEqual({ years: [{ year: 2026, count: 2, months: [{ month: 5, count: 2, days }] }] });
});

test('the session directory and list use the site’s time zone', async () => {
  const { app, engine, store } = createTestServer();
  engine.users.changeSite({ timeZone: 'Europe/Berlin' });
  const lateMs = Date.UTC(2026, 11, 31, 23, 30);
  const now = { monoMs: 0, wallMs: lateMs, synced: true, bootId: 'boot-1' };
  insertDrink(store, { tap: 'pi.flow0', ticks: 600 }, now);
  const { body } = await request(app).get('/api/sessions/directory').expect(200);
  expect(body.result.years).toEqual([
    { year: 2027, count: 1, months: [{ month: 1, count: 1, days: [{ day: 1, count: 1 }] }] },
  ]);
  const list = await request(app).get('/api/sessions?year=2027&month=1&day=1').expect(200);
  expect(list.body.result.paging.total).toBe(1);
  // The weekday is in Berlin's zone (Friday), the year in UTC.
  expect(await getStats({ app }, '/stats')).toMatchObject({
    volume_by_day_of_week: { 5: 300 },
    volume_by_year: { 2026: 300 },
  });
});

test('the site’s figures have the last 30 business days and their hours', async () => {
  const { app, engine } = createTestServer();
  engine.users.changeSite({ timeZone: 'Europe/Berlin' });
  engine.reports.changeSettings({ dayEndsMinutes: 4 * 60 }, systemActor, at(18));
  // 22:00 and 3:59 by the bar's clock are of one business day, 4:00 of the next.
  for (const [hours, ticks] of [
    [20, 400],
    [26 - 1 / 60, 200],
    [26, 100],
  ] as const)
    engine.drinks.pours.report({ tap: 'pi.flow0', ticks, source: 'post' }, at(hours));
  const { days, volume_by_hour: hours } = read(engine, at(30));
  expect(days).toHaveLength(30);
  expect(days.slice(-3)).toEqual([
    { date: '2026-05-01', pours: 0, volumeMl: 0 },
    { date: '2026-05-02', pours: 2, volumeMl: 300 },
    { date: '2026-05-03', pours: 1, volumeMl: 50 },
  ]);
  expect([hours[22], hours[3], hours[4]]).toEqual([200, 100, 50]);
  const { body } = await request(app).get('/api/stats/system').expect(200);
  expect([body.result.days.length, body.result.volume_by_hour.length]).toEqual([30, 24]);
});

test('a session names its users and kegs, and how it went', async () => {
  const { app } = createPopulatedServer();
  const { body } = await request(app).get('/api/sessions/1/stats').expect(200);
  const { session, course, users, users_count: count, kegs, pictures_count: pictures } = body.result;
  expect(session).toMatchObject({ id: '1', volume_ml: 1400 });
  expect(users).toEqual([
    { user_id: 'anna', pours: 2, volume_ml: 800 },
    { user_id: 'bert', pours: 1, volume_ml: 400 },
    { user_id: null, pours: 1, volume_ml: 200 },
  ]);
  expect(count).toBe(2);
  expect(kegs.map(({ volume_ml: ml }: { volume_ml: number }) => ml)).toEqual([1400]);
  expect(kegs[0].beverage_name).toBe('Haus Helles');
  expect(course.at(-1).volume_ml).toBe(1400);
  expect(course).toHaveLength(users.reduce((sum: number, one: { pours: number }) => sum + one.pours, 0));
  expect(pictures).toBe(0);
});

test('the course of a keg with many drinks has at most 150 points, and the last one has all of them', async () => {
  const { app, engine } = createTestServer();
  for (let i = 0; i < 400; i++)
    engine.drinks.pours.report({ tap: 'pi.flow0', ticks: 2, source: 'post' }, at(1 + i / 20));
  const { body } = await request(app).get('/api/kegs/1/stats').expect(200);
  const { course, keg, last_session: session } = body.result;
  expect(course.length).toBeGreaterThan(100);
  expect(course.length).toBeLessThanOrEqual(150);
  expect(course.at(-1)).toMatchObject({ drink_id: 400, volume_ml: 400 });
  expect(keg.served_volume_ml).toBe(400);
  expect(session).toMatchObject({ id: '1', volume_ml: 400 });
});

const at = (hours: number) => ({
  monoMs: hours * 3_600_000,
  wallMs: Date.UTC(2026, 4, 2) + hours * 3_600_000,
  synced: true,
  bootId: 'boot-1',
});

function read(engine: TestServer['engine'], now: ReturnType<typeof at>) {
  const { days, byHour } = engine.reports.recentDays(now);
  return { days, volume_by_hour: byHour };
}
