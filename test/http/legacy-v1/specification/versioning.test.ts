import request from 'supertest';
import { expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

/** The paths that are deprecated but still served, each with a valid request. */
const served: { method: 'get' | 'post'; path: string; fields?: object }[] = [
  { method: 'get', path: '/status' },
  { method: 'get', path: '/auth-tokens/core.rfid/0089f2c4' },
  { method: 'post', path: '/cancel-drink', fields: { id: 1 } },
  { method: 'get', path: '/controllers' },
  { method: 'post', path: '/controllers', fields: { name: 'kegboard' } },
  { method: 'get', path: '/events' },
  { method: 'get', path: '/flow-meters' },
  { method: 'post', path: '/flow-meters', fields: { controller: 1, port_name: 'flow9' } },
  { method: 'get', path: '/taps' },
  { method: 'post', path: '/taps', fields: { name: 'Cellar' } },
  { method: 'get', path: '/taps/pi.flow0' },
  { method: 'post', path: '/taps/pi.flow0', fields: { ticks: 10 } },
  { method: 'get', path: '/thermo-sensors/28-0000000000a1' },
  { method: 'post', path: '/thermo-sensors/28-0000000000a1', fields: { temp_c: 4 } },
];
const legacyHeaders = { deprecation: 'true', 'cache-control': 'no-store' };

function createServerWithDrink() {
  const server = createTestServer();
  const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4' }, now);
  insertDrink(server.store, { tap: 1, ticks: 10 }, now);
  return server;
}

const send = (server: TestServer, method: 'get' | 'post' | 'put', path: string, fields?: object) => {
  const call = request(server.app)
    [method](`/api/v1${path}`)
    .set('Authorization', `Bearer ${server.staffKey}`);
  return fields ? call.type('form').send(fields) : call;
};

test.each(served)(
  '$method $path is served with and without a trailing slash',
  async ({ method, path, fields }) => {
    for (const address of [path, `${path}/`]) {
      const reply = await send(createServerWithDrink(), method, address, fields).expect(200);
      expect(Object.keys(reply.body)).toEqual(['result']);
      expect(reply.headers).toMatchObject(legacyHeaders);
    }
  },
);

test.each(served)('$method $path refuses other methods and lists the allowed ones', async ({ path }) => {
  const reply = await send(createServerWithDrink(), 'put', path).expect(405);
  expect(reply.headers.allow).toMatch(/^(GET, HEAD|POST)(, POST)?, OPTIONS$/);
  expect(reply.headers).toMatchObject(legacyHeaders);
});

test('every reply has Deprecation and no-store headers, whatever its status', async () => {
  const server = createServerWithDrink();
  const statuses = async () => {
    const replies = [
      await send(server, 'get', '/status'),
      await send(server, 'post', '/cancel-drink', {}),
      await request(server.app).get('/api/v1/status'),
      await request(server.app).get('/api/v1/status').query({ api_key: server.guestKey }),
      await send(server, 'get', '/never'),
      await send(server, 'put', '/taps'),
      await send(server, 'get', '/drinks'),
      await send(server, 'post', '/taps').set('Content-Type', 'text/plain').send('beer'),
      await request(server.app).options('/api/v1/taps'),
    ];
    for (const reply of replies) expect(reply.headers).toMatchObject(legacyHeaders);
    return replies.map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 400, 401, 403, 404, 405, 410, 415, 200]);
  server.store.close();
  const broken = await send(server, 'get', '/status').expect(503);
  expect(broken.headers).toMatchObject(legacyHeaders);
});

test('the prefix /api does not serve the legacy write paths', async () => {
  const { app } = createServerWithDrink();
  await request(app).post('/api/tap/1/').send({ ticks: 10 }).expect(404);
  await request(app).post('/api/thermo-sensor/1/').send({ temp_c: 4 }).expect(404);
});
