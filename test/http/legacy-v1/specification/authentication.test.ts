import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../../test-server.ts';

const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };

function createServerWithToken() {
  const server = createTestServer();
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  return server;
}

type Verb = 'get' | 'post';
interface Protected {
  readonly verb: Verb;
  readonly path: string;
  readonly fields?: object;
}

/** Every protected path: the three of the original specification and the ones added since. */
const protectedRoutes: Protected[] = [
  { verb: 'get', path: '/auth-tokens/core.rfid.0089f2c4/' },
  { verb: 'post', path: '/auth-tokens/core.rfid.0089f2c4/' },
  { verb: 'get', path: '/auth-tokens/core.rfid/0089f2c4' },
  { verb: 'post', path: '/auth-tokens/core.rfid/0089f2c4' },
  { verb: 'post', path: '/tap/1/', fields: { ticks: 10 } },
  { verb: 'post', path: '/taps/pi.flow0', fields: { ticks: 10 } },
  { verb: 'post', path: '/thermo-sensor/cellar/', fields: { temp_c: 4 } },
  { verb: 'post', path: '/thermo-sensors/cellar', fields: { temp_c: 4 } },
  { verb: 'get', path: '/status' },
  { verb: 'post', path: '/cancel-drink', fields: { id: 1 } },
  { verb: 'get', path: '/controllers' },
  { verb: 'post', path: '/controllers', fields: { name: 'kegboard' } },
  { verb: 'get', path: '/flow-meters' },
  { verb: 'post', path: '/flow-meters', fields: { controller: 1, port_name: 'flow9' } },
  { verb: 'post', path: '/taps', fields: { name: 'Cellar' } },
];

const sendTo = (server: TestServer, { verb, path, fields }: Protected, key?: string) => {
  const call = request(server.app)[verb](`/api/v1${path}`);
  if (verb === 'get') return key === undefined ? call : call.query({ api_key: key });
  return call.type('form').send(key === undefined ? (fields ?? {}) : { ...fields, api_key: key });
};

/** Everything that a refused request could have changed. */
const countRecords = ({ engine }: TestServer) => ({
  drinks: engine.drinks.list({}).total,
  sensors: engine.temperatures.sensors().length,
  controllers: engine.taps.hardware.controllers().length,
  meters: engine.taps.hardware.meters().length,
  taps: engine.taps.list().length,
});

test.each(protectedRoutes)(
  '1, 3: $verb $path is protected: without a key NoAuthTokenError',
  async (route) => {
    const server = createServerWithToken();
    const before = countRecords(server);
    const reply = await sendTo(server, route).expect(401);
    expect(reply.body.error.code).toBe('NoAuthTokenError');
    expect(countRecords(server)).toEqual(before);
  },
);

test.each(protectedRoutes)('3: $verb $path with an unknown key: BadAuthTokenError', async (route) => {
  const server = createServerWithToken();
  const before = countRecords(server);
  const reply = await sendTo(server, route, 'f'.repeat(32)).expect(401);
  expect(reply.body.error.code).toBe('BadAuthTokenError');
  expect(countRecords(server)).toEqual(before);
});

test.each(protectedRoutes)(
  '3: $verb $path with a key without staff role: PermissionDeniedError',
  async (route) => {
    const server = createServerWithToken();
    const before = countRecords(server);
    const reply = await sendTo(server, route, server.guestKey).expect(403);
    expect(reply.body.error.code).toBe('PermissionDeniedError');
    expect(countRecords(server)).toEqual(before);
  },
);

test.each(protectedRoutes.filter(({ path }) => path !== '/cancel-drink'))(
  '1: $verb $path accepts a staff key',
  async (route) => {
    const server = createServerWithToken();
    await sendTo(server, route, server.staffKey).expect(200);
  },
);

test('2: the key may be sent in the form field api_key', async () => {
  const server = createServerWithToken();
  const call = request(server.app).post('/api/v1/auth-tokens/core.rfid.0089f2c4/').type('form');
  const reply = await call.send({ api_key: server.staffKey }).expect(200);
  expect(reply.body.result.token.enabled).toBe(true);
});

test('3: an invalid key is reported before an invalid request, so that it does not reveal what exists', async () => {
  const server = createServerWithToken();
  const key = 'f'.repeat(32);
  expect((await sendTo(server, { verb: 'get', path: '/auth-tokens/no.body' }, key)).status).toBe(401);
  expect((await sendTo(server, { verb: 'post', path: '/tap/99/', fields: {} }, key)).status).toBe(401);
});

test.each(['/events', '/taps', '/taps/1', '/thermo-sensors/28-0000000000a1'])(
  '5: GET %s is public on a public site and restricted on a private one',
  async (path) => {
    const { app, engine, guestKey, staffKey } = createServerWithToken();
    const status = async (key?: string) =>
      (
        await request(app)
          .get(`/api/v1${path}`)
          .query(key === undefined ? {} : { api_key: key })
      ).status;
    expect([await status(), await status(guestKey), await status(staffKey)]).toEqual([200, 200, 200]);
    engine.users.changeSite({ privacy: 'members' });
    expect([await status(), await status(guestKey), await status(staffKey)]).toEqual([401, 200, 200]);
    engine.users.changeSite({ privacy: 'staff' });
    expect([await status(), await status(guestKey), await status(staffKey)]).toEqual([401, 403, 200]);
  },
);
