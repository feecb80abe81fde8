import request from 'supertest';
import { expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

const pour = '/api/v1/taps/pi.flow0';

/** Posts one tick with a key in the given places. */
const post = (
  server: TestServer,
  keys: { header?: string; form?: string; query?: string; authorization?: string },
) => {
  const query = keys.query === undefined ? '' : `?api_key=${keys.query}`;
  const call = request(server.app).post(`${pour}${query}`).type('form');
  if (keys.header !== undefined) call.set('X-Kegbot-Api-Key', keys.header);
  if (keys.authorization !== undefined) call.set('Authorization', keys.authorization);
  return call.send({ ticks: '1', ...omitUndefined({ api_key: keys.form }) });
};

test('a key is accepted in a header, a field, the query and as a bearer token', async () => {
  const server = createTestServer();
  const key = server.staffKey;
  for (const keys of [{ header: key }, { form: key }, { query: key }, { authorization: `Bearer ${key}` }]) {
    expect((await post(server, keys)).status).toBe(200);
  }
  await request(server.app).post(pour).send({ ticks: 1, api_key: key }).expect(200);
});

test('the first non-empty key decides', async () => {
  const server = createTestServer();
  const key = server.staffKey;
  const bearer = `Bearer ${key}`;
  expect((await post(server, { header: 'wrong', form: key })).status).toBe(401);
  expect((await post(server, { form: 'wrong', query: key })).status).toBe(401);
  expect((await post(server, { query: 'wrong', authorization: bearer })).status).toBe(401);
  expect(
    (await post(server, { header: key, form: 'wrong', query: 'wrong', authorization: 'x' })).status,
  ).toBe(200);
  expect((await post(server, { header: '', form: '', query: '', authorization: bearer })).status).toBe(200);
});

test('Basic authentication is accepted by the current API only', async () => {
  const server = createTestServer();
  server.engine.users.changeSite({ privacy: 'members' });
  const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`;
  const get = (authorization: string) =>
    request(server.app).get('/api/drinks').set('Authorization', authorization);
  await get(basic('api', server.guestKey)).expect(200);
  await get(basic('anna', server.staffKey)).expect(401);
  await get(basic('api', 'wrong')).expect(401);
  await get('Basic ???').expect(401);
  expect((await post(server, { authorization: basic('api', server.staffKey) })).status).toBe(401);
});

test.each([
  ['no key', '', 401, 'NoAuthTokenError'],
  ['an unknown key', 'f'.repeat(32), 401, 'BadAuthTokenError'],
  ['a key of 10,000 characters', 'x'.repeat(10_000), 401, 'BadAuthTokenError'],
])('%s records nothing', async (_what, key, status, code) => {
  const server = createTestServer();
  const reply = await post(server, { form: key });
  expect(reply.status).toBe(status);
  expect(reply.body.error.code).toBe(code);
  expect(reply.headers['www-authenticate']).toBe('Bearer');
  expect(server.engine.drinks.newest(1)).toEqual([]);
});

test('a guest’s key cannot record a pour', async () => {
  const server = createTestServer();
  const reply = await post(server, { form: server.guestKey });
  expect(reply.status).toBe(403);
  expect(reply.body.error.code).toBe('PermissionDeniedError');
});

test('a refusal reveals neither what exists nor which fields are invalid', async () => {
  const server = createTestServer();
  await request(server.app).post('/api/v1/taps/nothing').send('ticks=1').expect(401);
  await request(server.app).post(pour).type('form').send('ticks=x').expect(401);
  server.engine.users.changeSite({ privacy: 'staff' });
  await request(server.app).get('/api/v1/taps/99').expect(401);
});

test.each([
  ['a field given twice', 'application/x-www-form-urlencoded', 'ticks=1&ticks=2&api_key=KEY', 400],
  ['ten thousand fields', 'application/x-www-form-urlencoded', `${'a&'.repeat(10_000)}api_key=KEY`, 400],
  ['Latin-1', 'application/x-www-form-urlencoded; charset=iso-8859-1', 'ticks=1&api_key=KEY', 400],
  [
    'an incomplete form',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="api',
    400,
  ],
  ['an incomplete object', 'application/json', '{"api_key":"KEY","ticks":', 400],
  ['70 kB', 'application/x-www-form-urlencoded', `api_key=KEY&shout=${'x'.repeat(70_000)}`, 413],
  ['plain text', 'text/plain', 'api_key=KEY, ticks=1', 415],
])('a key inside %s is not found, and the error is that of the body', async (_what, type, text, status) => {
  const server = createTestServer();
  const send = (path: string) =>
    request(server.app).post(path).set('Content-Type', type).send(text.replace('KEY', server.staffKey));
  const blamed = await send(pour).expect(status);
  expect(blamed.body.error.code).not.toBe('NoAuthTokenError');
  await send(`${pour}?api_key=wrong`).expect(401);
  expect(server.engine.drinks.newest(1)).toEqual([]);
});

test.each([
  ['public', 200, 200, 200],
  ['members', 401, 200, 200],
  ['staff', 401, 403, 200],
] as const)(
  'on a %s site an anonymous caller gets %i, a guest %i, staff %i',
  async (privacy, anonymous, member, staff) => {
    const server = createTestServer();
    server.engine.users.changeSite({ privacy });
    for (const path of ['/api/drinks', '/api/taps', '/api/taps/1', '/api/v1/taps', '/api/v1/taps/1']) {
      expect((await request(server.app).get(path)).status).toBe(anonymous);
      expect((await request(server.app).get(`${path}?api_key=${server.guestKey}`)).status).toBe(member);
      expect((await request(server.app).get(`${path}?api_key=${server.staffKey}`)).status).toBe(staff);
    }
    expect((await request(server.app).head('/api/live')).status).toBe(anonymous);
    await request(server.app).get('/api/schema').expect(200);
  },
);

test('a wrong key is ignored on a public route', async () => {
  const server = createTestServer();
  await request(server.app).get('/api/v1/taps').set('X-Kegbot-Api-Key', 'wrong').expect(200);
});
