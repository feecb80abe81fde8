import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs } from '../../test-server.ts';

function createServerWithDrinks(count: number) {
  const server = createTestServer();
  const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  for (let i = 1; i <= count; i++) insertDrink(server.store, { tap: 'pi.flow0', ticks: i }, now);
  return server;
}

const ids = (body: { result: { drinks: { id: number }[] } }) => body.result.drinks.map(({ id }) => id);

test('lists a drink with the fields of the specification', async () => {
  const server = createServerWithDrinks(1);
  const reply = await request(server.app).get('/api/drinks').expect(200);
  expect(reply.body).toEqual({
    result: {
      paging: { total: 1, limit: 100, pos: 0, next: null, prev: null },
      drinks: [
        {
          id: 1,
          volume_ml: 0.5,
          uncertainty_ml: expect.closeTo(5.3, 1),
          user_id: null,
          ticks: 1,
          ticks_lost: null,
          session_id: '1',
          is_valid: true,
          pour_time: '2026-05-02T17:00:00Z',
          time_certain: true,
          duration: 0,
          keg_id: 1,
          beverage_name: 'Haus Helles',
          tap_id: '1',
          meter: 'pi.flow0',
          source: 'post',
          recovered: false,
        },
      ],
    },
  });
});

test('lists an empty page without drinks', async () => {
  const reply = await request(createTestServer().app).get('/api/drinks/').expect(200);
  expect(reply.body).toEqual({
    result: { paging: { total: 0, limit: 100, pos: 0, next: null, prev: null }, drinks: [] },
  });
});

test.each([
  ['', 0, 100, [5, 4, 3, 2, 1]],
  ['?limit=2', 0, 2, [5, 4]],
  ['?start=3', 3, 100, [3, 2, 1]],
  ['?start=3&limit=2', 3, 2, [3, 2]],
  ['?start=999', 999, 100, [5, 4, 3, 2, 1]],
  ['?start=0', 0, 100, [5, 4, 3, 2, 1]],
  ['?start=&limit=', 0, 100, [5, 4, 3, 2, 1]],
  ['?limit=1000', 0, 1000, [5, 4, 3, 2, 1]],
])(
  'of five drinks “%s” lists the page with start %i and limit %i',
  async (query, pos, limit, expectedIds) => {
    const reply = await request(createServerWithDrinks(5).app).get(`/api/drinks${query}`).expect(200);
    expect(reply.body.result.paging).toMatchObject({ total: 5, limit, pos });
    expect(ids(reply.body)).toEqual(expectedIds);
  },
);

test.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1.5', 'limit'],
  ['start=-5', 'start'],
  ['start=abc', 'start'],
  ['start=1e400', 'start'],
])('refuses the page %s', async (query, field) => {
  const reply = await request(createTestServer().app).get(`/api/drinks?${query}`).expect(400);
  expect(reply.body.error).toMatchObject({
    code: 'BadRequestError',
    fields: { [field]: expect.any(String) },
  });
});

test('does not list held pours', async () => {
  const server = createServerWithDrinks(1);
  const now = { monoMs: 3_600_000, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  insertDrink(server.store, { tap: 'pi.flow2', ticks: 9 }, now);
  const reply = await request(server.app).get('/api/drinks').expect(200);
  expect(reply.body.result.paging.total).toBe(1);
  expect(ids(reply.body)).toEqual([1]);
});

test('serves taps without the Deprecation header', async () => {
  const server = createServerWithDrinks(1);
  const list = await request(server.app).get('/api/taps').expect(200);
  const one = await request(server.app).get('/api/taps/pi.flow0').expect(200);
  expect(one.body.result).toEqual(list.body.result.taps[0]);
  expect(one.body.result).toMatchObject({
    tap: { id: '1', name: 'Left' },
    keg: { state: 'on_tap' },
    beverage: { name: 'Haus Helles' },
  });
  expect(one.headers.deprecation).toBeUndefined();
  await request(server.app).get('/api/taps/nobody').expect(404);
});

test('does not serve the write paths of the legacy API', async () => {
  const server = createTestServer();
  await request(server.app).post('/api/tap/1').set('X-Kegbot-Api-Key', server.staffKey).send({}).expect(404);
});

test('serves the OpenAPI document', async () => {
  const reply = await request(createTestServer().app).get('/api/schema').expect(200);
  expect(reply.body.openapi).toBe('3.1.0');
  expect(Object.keys(reply.body.paths)).toContain('/api/drinks');
  expect(reply.body.components.schemas.Drink.required).toContain('pour_time');
});

test('staff count a drink as beer whole; a member may not', async () => {
  const server = createTestServer();
  const now = server.now();
  const foam = Array.from({ length: 20 }, (_, i) => `${i * 100}:${i % 2 ? 8 : 28}`);
  const beer = Array.from({ length: 60 }, (_, i) => `${2_000 + i * 100}:12`);
  server.engine.drinks.pours.record(
    {
      pourId: 'own-1',
      meter: 'pi.flow0',
      ticks: 1_080,
      startedMonoMs: now.monoMs - 9_000,
      durationMs: 7_900,
      reachedMaxDuration: false,
      rejectedEdges: 0,
      ticksLost: 0,
      doubts: [],
      recovered: false,
      series: [...foam, ...beer].join(' '),
      bootId: now.bootId,
    },
    'pin',
    now,
  );
  const { body } = await request(server.app).get('/api/drinks/1').expect(200);
  const before = body.result.drink;
  expect(before.foam_ticks).toBeGreaterThan(100);
  const path = '/api/drinks/1/count-as-beer';
  const member = await request(server.app).post(path).set('X-Kegbot-Api-Key', server.guestKey);
  expect([member.status, member.body.error.code]).toEqual([403, 'PermissionDeniedError']);
  const answer = await request(server.app).post(path).set('X-Kegbot-Api-Key', server.staffKey).expect(200);
  expect(answer.body.result.drink).toMatchObject({ ticks: 1_080 });
  expect(answer.body.result.drink.foam_ticks).toBeUndefined();
  expect(answer.body.result.drink.volume_ml).toBeGreaterThan(before.volume_ml);
  await request(server.app).post(path).set('X-Kegbot-Api-Key', server.staffKey).expect(200, answer.body);
});
