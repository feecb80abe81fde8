import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, openingMs, type TestServer } from '../http/test-server.ts';

const now = { monoMs: 0, wallMs: openingMs, synced: true, bootId: 'boot-1' };

function createServerWithToken() {
  const server = createTestServer();
  server.engine.access.tokens.create({ device: 'core.rfid', value: '0089f2c4', username: 'bert' }, now);
  return server;
}

/** `curl -d a=b …`: a form with the key as a field. */
const curl = (server: TestServer, path: string, fields: Record<string, string | number>) =>
  request(server.app)
    .post(`/api/v1${path}`)
    .set('Accept', '*/*')
    .set('User-Agent', 'curl/7.19.7')
    .type('form')
    .send({ api_key: server.staffKey, ...fields });

const token = {
  id: 'core.rfid|0089f2c4',
  auth_device: 'core.rfid',
  token_value: '0089f2c4',
  created_time: '2026-05-02T17:00:00Z',
  enabled: true,
};

test('looks a token up by its dotted id with the key in a form field', async () => {
  const server = createServerWithToken();
  const reply = await curl(server, '/auth-tokens/core.rfid.0089f2c4/', {}).expect(200);
  expect(reply.body).toEqual({ result: { token } });
});

test('looks a token up with curl -F, as in the sample of the specification', async () => {
  const server = createServerWithToken();
  const reply = await request(server.app)
    .post('/api/v1/auth-tokens/core.rfid.0089f2c4/')
    .field('api_key', server.staffKey)
    .expect(200);
  expect(reply.body).toEqual({ result: { token } });
});

test.each([
  '/auth-tokens/core.rfid.0089f2c4',
  '/auth-tokens/core.rfid.0089f2c4/',
  '/auth-tokens/core.rfid.0089F2C4/',
  '/auth-tokens/core.rfid/0089f2c4',
  '/auth-tokens/core.rfid/0089F2C4/',
  '/auth-tokens/core.rfid%7C0089f2c4',
])('reads a token at %s with GET and POST', async (path) => {
  const server = createServerWithToken();
  const read = await request(server.app)
    .get(`/api/v1${path}`)
    .query({ api_key: server.staffKey })
    .expect(200);
  const posted = await curl(server, path, {}).expect(200);
  expect([read.body, posted.body]).toEqual([{ result: { token } }, { result: { token } }]);
});

test('posts a pour to a tap by number and returns the drink detail', async () => {
  const server = createServerWithToken();
  const seconds = openingMs / 1000;
  const reply = await curl(server, '/tap/1/', {
    ticks: 2_200,
    auth_token: 'core.rfid|0089f2c4',
    pour_time: seconds - 5,
    now: seconds,
    duration: 14,
  }).expect(200);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  expect(reply.body).toEqual({
    result: {
      drink: {
        id: 1,
        volume_ml: 1_100,
        user_id: 'bert',
        ticks: 2_200,
        session_id: '1',
        is_valid: true,
        pour_time: '2026-05-02T16:59:55Z',
        duration: 14,
        keg_id: 1,
      },
      keg: {
        id: 1,
        status: 'online',
        volume_ml_remain: 28_900,
        percent_full: 28_900 / 30_000,
        description: '',
        type_id: '1',
        size_id: 7,
        started_time: '2026-05-02T17:00:00Z',
        finished_time: null,
      },
      user: {
        username: 'bert',
        joined_time: '2026-05-02T17:00:00Z',
        mugshot_url: '',
        is_active: true,
        is_superuser: false,
        is_staff: false,
      },
      session: {
        id: '1',
        start_time: '2026-05-02T16:59:55Z',
        end_time: '2026-05-02T19:59:55Z',
        volume_ml: 1_100,
      },
    },
  });
  expect(server.engine.drinks.get(1)?.drink).toMatchObject({
    authToken: 'core.rfid|0089f2c4',
    source: 'post',
  });
});

test('posts a temperature and returns the sensor’s record', async () => {
  const server = createServerWithToken();
  const record = {
    result: {
      sensor: { id: '2', name: 'thermo-28ff64', nice_name: '' },
      last_temp: 4.5,
      last_time: '2026-05-02T17:00:00Z',
    },
  };
  const posted = await curl(server, '/thermo-sensor/thermo-28ff64/', { temp_c: '4.5' }).expect(200);
  expect(posted.body).toEqual(record);
  const read = await request(server.app).get('/api/v1/thermo-sensors/thermo-28ff64/').expect(200);
  expect(read.body).toEqual(record);
});

test('reads taps, one tap, events and a sensor without a key', async () => {
  const { app } = createServerWithToken();
  const read = async (path: string) => (await request(app).get(`/api/v1${path}`).expect(200)).body.result;
  expect((await read('/taps/')).taps.map((item: object) => Object.keys(item))).toEqual([
    ['tap', 'keg', 'beverage'],
    ['tap', 'keg', 'beverage'],
    ['tap', 'keg', 'beverage'],
  ]);
  expect((await read('/taps/pi.flow0/')).tap.id).toBe('1');
  expect((await read('/events/')).events).toEqual([
    {
      id: 1,
      kind: 'keg_tapped',
      time: '2026-05-02T17:00:00Z',
      drink_id: null,
      keg_id: 1,
      session_id: null,
      user_id: null,
    },
  ]);
  expect((await read('/thermo-sensors/28-0000000000a1/')).sensor.id).toBe('1');
});

test('the reply format depends on the header only', async () => {
  const server = createServerWithToken();
  const send = (path: string) =>
    request(server.app).get(`/api/v1${path}`).query({ api_key: server.staffKey });
  for (const path of ['/status', '/controllers', '/flow-meters', '/events', '/taps', '/taps/1']) {
    expect(Object.keys((await send(path)).body)).toEqual(['result']);
    const kegbot = Object.keys((await send(path).set('X-Kegbot-Api-Key', '')).body);
    expect(kegbot).toEqual([expect.stringMatching(/^objects?$/), 'meta']);
  }
  expect(Object.keys((await send('/taps/99')).body)).toEqual(['error']);
  expect(Object.keys((await send('/taps/99').set('X-Kegbot-Api-Key', '')).body)).toEqual(['error', 'meta']);
});
