import request from 'supertest';
import { expect, test, vi } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

const post = (server: TestServer, path: string, fields: object) =>
  request(server.app)
    .post(`/api/v1${path}`)
    .type('form')
    .send({ api_key: server.staffKey, ...fields });
const drinks = ({ engine }: TestServer) => engine.drinks.list({}).total;
const failure = (code: string) => ({ error: { code, message: expect.stringMatching(/\S.*\.$/) } });

test('Error: generic, as for an unsupported method', async () => {
  const server = createTestServer();
  const reply = await request(server.app).get('/api/v1/cancel-drink').expect(405);
  expect(reply.body).toEqual(failure('Error'));
  expect(reply.headers.allow).toBe('POST, OPTIONS');
});

test.each(['/tap/99/', '/tap/no.meter/', '/taps/99'])(
  'NotFoundError: POST %s names a tap that does not exist',
  async (path) => {
    const server = createTestServer();
    expect((await post(server, path, { ticks: 1 }).expect(404)).body).toEqual(failure('NotFoundError'));
    expect(drinks(server)).toBe(0);
  },
);

test.each(['/taps/99', '/thermo-sensors/nowhere', '/auth-tokens/no.body', '/auth-tokens/no/body'])(
  'NotFoundError: GET %s names an object that does not exist',
  async (path) => {
    const server = createTestServer();
    const reply = await request(server.app).get(`/api/v1${path}`).query({ api_key: server.staffKey });
    expect([reply.status, reply.body]).toEqual([404, failure('NotFoundError')]);
  },
);

test('NotFoundError: a drink that does not exist cannot be cancelled', async () => {
  const server = createTestServer();
  const reply = await post(server, '/cancel-drink', { id: 99 }).expect(404);
  expect(reply.body).toEqual(failure('NotFoundError'));
});

test('ServerError: an internal error reveals no internals', async () => {
  const server = createTestServer();
  vi.spyOn(server.engine.drinks.pours, 'reportInFull').mockImplementation(() => {
    throw new TypeError('SQL of the database at src/store/store.ts:12');
  });
  const reply = await post(server, '/tap/1/', { ticks: 1 }).expect(500);
  expect(reply.body).toEqual(failure('ServerError'));
  expect(reply.text).not.toMatch(/SQL|database|at \S+:\d+|\/src\//i);
  expect(server.faults).toHaveLength(1);
});

test('ServerError: a closed database is temporary, and no fault', async () => {
  const server = createTestServer();
  server.store.close();
  const reply = await post(server, '/tap/1/', { ticks: 1 }).expect(503);
  expect(reply.body).toEqual(failure('ServerError'));
  expect(server.faults).toEqual([]);
});

test.each([
  ['/tap/1/', {}],
  ['/tap/1/', { ticks: 'many' }],
  ['/thermo-sensor/cellar/', {}],
  ['/cancel-drink', {}],
  ['/cancel-drink', { id: 'last' }],
  ['/controllers', {}],
  ['/controllers', { name: 'key.board' }],
  ['/flow-meters', { port_name: 'flow0' }],
  ['/flow-meters', { controller: 1 }],
  ['/flow-meters', { controller: 99, port_name: 'flow0' }],
  ['/flow-meters', { controller: 1, port_name: 'flow9', ticks_per_ml: 0 }],
  ['/taps', {}],
])('BadRequestError: POST %s with %o is incomplete or malformed', async (path, fields) => {
  const server = createTestServer();
  expect((await post(server, path, fields).expect(400)).body).toEqual(failure('BadRequestError'));
  expect(drinks(server)).toBe(0);
  expect(server.engine.taps.hardware.meters()).toHaveLength(3);
});

test('NoAuthTokenError: a protected resource without a key', async () => {
  const server = createTestServer();
  const reply = await post(server, '/tap/1/', { ticks: 1, api_key: '' }).expect(401);
  expect(reply.body).toEqual(failure('NoAuthTokenError'));
  expect(drinks(server)).toBe(0);
});

test('BadAuthTokenError: the key given is invalid', async () => {
  const server = createTestServer();
  const reply = await post(server, '/tap/1/', { ticks: 1, api_key: 'open sesame' }).expect(401);
  expect(reply.body).toEqual(failure('BadAuthTokenError'));
  expect(drinks(server)).toBe(0);
});

test('PermissionDeniedError: the key does not permit the operation', async () => {
  const server = createTestServer();
  const reply = await post(server, '/tap/1/', { ticks: 1, api_key: server.guestKey }).expect(403);
  expect(reply.body).toEqual(failure('PermissionDeniedError'));
  expect(drinks(server)).toBe(0);
});

test('rule 1: a removed endpoint answers 410', async () => {
  const reply = await request(createTestServer().app).get('/api/v1/drinks/last').expect(410);
  expect(reply.body).toEqual(failure('GoneError'));
});

test('limit: one temperature per sensor and minute, the latest wins', async () => {
  const server = createTestServer();
  const log = async (afterMs: number, tempC: number) => {
    server.setClock({ wallMs: openingMs + afterMs });
    await post(server, '/thermo-sensor/cellar/', { temp_c: tempC }).expect(200);
    return server.engine.temperatures.find('cellar')?.last;
  };
  const first = await log(1_000, 4);
  const second = await log(59_000, 5);
  const third = await log(60_000, 6);
  expect(second).toEqual({ ...first, tempC: 5 });
  expect(third).toMatchObject({ tempC: 6, timeMs: openingMs + 60_000 });
  expect(third?.id).not.toBe(first?.id);
});

test('limit: pour_time requires now; now is otherwise discarded', async () => {
  const server = createTestServer();
  await post(server, '/tap/1/', { ticks: 1, pour_time: 1_000 }).expect(400);
  expect(drinks(server)).toBe(0);
  await post(server, '/tap/1/', { ticks: 1, now: 1_000 }).expect(200);
  expect(server.engine.drinks.newest(1)[0]?.pourTimeMs).toBe(openingMs);
});

test('limit: paging.limit is the page size, 100 by default', async () => {
  const server = createTestServer();
  await post(server, '/tap/1/', { ticks: 1 }).expect(200);
  const page = async (query: object) =>
    (await request(server.app).get('/api/drinks').query(query)).body.result;
  expect((await page({})).paging).toMatchObject({ total: 1, limit: 100, pos: 0 });
  expect((await page({ limit: 7 })).paging.limit).toBe(7);
});

test.each([
  ['{"ticks": 5, "volume_ml": 100, "volume_ml": 900}', 'volume_ml'],
  ['{"ticks": 5, "ti\\u0063ks": 50}', 'ticks'],
])('refuses the JSON body %s with a duplicate key and names the key', async (body, name) => {
  const server = createTestServer();
  const reply = await request(server.app)
    .post('/api/v1/tap/1/')
    .set('Authorization', `Bearer ${server.staffKey}`)
    .type('json')
    .send(body)
    .expect(400);
  expect(reply.body).toEqual(failure('BadRequestError'));
  expect(reply.body.error.message).toContain(name);
  expect(drinks(server)).toBe(0);
});

test('accepts the same key in different objects of a JSON body', async () => {
  const server = createTestServer();
  const body =
    '{"ticks": 5, "more": {"ticks": 1, "list": ["ticks", "ticks", {"ticks": "a \\" ticks"}]}, "shout": "ticks"}';
  await request(server.app)
    .post('/api/v1/tap/1/')
    .set('Authorization', `Bearer ${server.staffKey}`)
    .type('json')
    .send(body)
    .expect(200);
  expect(drinks(server)).toBe(1);
});
