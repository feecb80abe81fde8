import sharp from 'sharp';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let anna: string;

beforeEach(() => {
  server = createTestServer();
  anna = server.createConfirmedCookie('anna');
});

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

const call = (method: Method, path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);

const logIn = (username: string, password: string) =>
  request(server.app).post('/api/auth/login').send({ username, password });

const isLoggedIn = async (cookie: string) =>
  (await request(server.app).get('/api/users/me').set('Cookie', cookie)).body.result.user !== null;

test('staff create an account, and its user can log in and read their own e-mail address', async () => {
  const fields = {
    username: 'cleo',
    password: 'hop-garden',
    email: 'cleo@example.org',
    display_name: 'Cléo',
  };
  const created = await call('post', '/users', anna, fields).expect(201);
  expect(created.body.result.user).toMatchObject({ username: 'cleo', display_name: 'Cléo', is_staff: false });
  expect(created.text).not.toContain('cleo@example.org');
  const { body } = await logIn('cleo', 'hop-garden').expect(200);
  expect(body.result.user.email).toBe('cleo@example.org');
  expect(server.engine.audit.list({ action: 'user.created' }).items).toMatchObject([
    { username: 'anna', via: 'page', subject: { kind: 'user', id: 'cleo' } },
  ]);
});

test.each([
  ['username', { username: 'bert', password: 'hop-garden' }],
  ['username', { username: 'Guest', password: 'hop-garden' }],
  ['username', { username: 'two words', password: 'hop-garden' }],
  ['password', { username: 'cleo', password: 'hops' }],
  ['email', { username: 'cleo', password: 'hop-garden', email: 'at home' }],
  ['is_superuser', { username: 'cleo', password: 'hop-garden', is_superuser: true }],
])('refuses an account with an invalid %s', async (field, fields) => {
  const { body } = await call('post', '/users', anna, fields).expect(400);
  expect(body.error.fields).toHaveProperty([field]);
  expect(server.engine.users.user('cleo')).toBeNull();
});

test('staff see whether a user has a password and when they were last seen', async () => {
  const body = { username: 'cleo', password: 'hop-garden' };
  await call('post', '/users', anna, body).expect(201);
  const state = async (username: string) =>
    (await call('get', `/users/${username}/state`, anna).expect(200)).body.result;
  const others = {
    has_email: false,
    has_pin: false,
    is_pin_locked: false,
    notification_language: null,
    aliases: [],
  };
  expect(await state('bert')).toEqual({ ...others, has_password: false, last_seen_time: null });
  expect(await state('cleo')).toEqual({ ...others, has_password: true, last_seen_time: null });
  await logIn('cleo', 'hop-garden').expect(200);
  expect(await state('cleo')).toEqual({
    ...others,
    has_password: true,
    last_seen_time: '2026-05-02T17:00:00Z',
  });
  await call('get', '/users/nobody-here/state', anna).expect(404);
  await call('get', '/users/cleo/state', server.createConfirmedCookie('bert')).expect(403);
});

test('staff find users by part of a name and by role or state', async () => {
  await call('patch', '/users/bert', anna, { display_name: 'Berti the Brewer' }).expect(200);
  server.engine.users.addUser({ username: 'cleo' }, server.now());
  await call('patch', '/users/cleo', anna, { is_active: false }).expect(200);
  const names = async (query: string) =>
    (await call('get', `/users?${query}`, anna).expect(200)).body.result.users.map(
      ({ username }: { username: string }) => username,
    );
  expect(await names('search=BREW')).toEqual(['bert']);
  expect(await names('search=e')).toEqual(['cleo', 'bert']);
  expect(await names('search=e&limit=1&start=2')).toEqual(['bert']);
  expect(await names('is_staff=true')).toEqual(['anna']);
  expect(await names('is_active=false')).toEqual(['cleo']);
  expect(await names('search=%25')).toEqual([]);
  await call('get', '/users?is_active=perhaps', anna).expect(400);
});

test('a deactivated account is refused at once, by login, key and password', async () => {
  const { engine } = server;
  const password = await engine.users.passwords.hash('hop-garden');
  engine.users.addUser({ username: 'cleo', password }, server.now());
  const { secret } = engine.users.createKey('cleo', 'tablet', server.now());
  const cookie = server.createConfirmedCookie('cleo');
  expect(await isLoggedIn(cookie)).toBe(true);

  await call('patch', '/users/cleo', anna, { is_active: false }).expect(200);
  expect(await isLoggedIn(cookie)).toBe(false);
  await request(server.app).get('/api/api-keys').set('X-Kegbot-Api-Key', secret).expect(401);
  await logIn('cleo', 'hop-garden').expect(400);

  await call('patch', '/users/cleo', anna, { is_active: true }).expect(200);
  expect(await isLoggedIn(cookie)).toBe(false);
  await logIn('cleo', 'hop-garden').expect(200);
});

test('the last staff account can be neither deactivated nor lose its role', async () => {
  for (const change of [{ is_active: false }, { is_staff: false }]) {
    const { body } = await call('patch', '/users/anna', anna, change).expect(409);
    expect(body.error.code).toBe('Error');
  }
  expect(server.engine.users.user('anna')).toMatchObject({ isStaff: true, isActive: true });
  await call('patch', '/users/bert', anna, { is_staff: true }).expect(200);
  await call('patch', '/users/anna', anna, { is_staff: false }).expect(200);
  await call('patch', '/users/bert', anna, {}).expect(403);
});

test('only superusers can change a superuser', async () => {
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const root = server.createConfirmedCookie('root');
  await call('patch', '/users/root', anna, { is_active: false }).expect(403);
  await call('post', '/users/root/set-password', anna, { password: 'hop-garden' }).expect(403);
  await call('patch', '/users/root', root, { display_name: 'Roo' }).expect(200);
  await call('patch', '/users/anna', root, { is_active: false }).expect(200);
  await call('patch', '/users/root', root, { is_active: false }).expect(409);
});

test('the reserved user guest cannot be changed', async () => {
  await call('patch', '/users/guest', anna, { is_staff: true }).expect(404);
  await call('post', '/users/guest/set-password', anna, { password: 'hop-garden' }).expect(404);
});

test('a password set by staff ends every login of the user', async () => {
  const [one, other] = [server.createConfirmedCookie('bert'), server.createLoginCookie('bert')];
  await call('post', '/users/bert/set-password', anna, { password: 'short' }).expect(400);
  expect(await isLoggedIn(one)).toBe(true);
  const done = await call('post', '/users/bert/set-password', anna, { password: 'new-hop-garden' }).expect(
    200,
  );
  expect(done.body).toEqual({ result: {} });
  for (const cookie of [one, other]) expect(await isLoggedIn(cookie)).toBe(false);
  await logIn('bert', 'new-hop-garden').expect(200);
});

test('changing one’s own password keeps this login and ends the others', async () => {
  server.engine.users.changeSite({ privacy: 'staff' });
  const password = await server.engine.users.passwords.hash('hop-garden');
  const actor = { userId: null, via: 'console' } as const;
  server.engine.users.accounts.setPassword('bert', password, { actor, now: server.now() });
  const [here, elsewhere] = [server.createConfirmedCookie('bert'), server.createLoginCookie('bert')];
  const change = (current_password: string, new_password: string) =>
    call('post', '/account/password', here, { current_password, new_password });

  expect((await change('malt-garden', 'new-hop-garden').expect(400)).body.error.fields).toHaveProperty(
    'current_password',
  );
  expect((await change('hop-garden', '1234567').expect(400)).body.error.fields).toHaveProperty(
    'new_password',
  );
  await change('hop-garden', 'new-hop-garden').expect(200);
  expect(await isLoggedIn(here)).toBe(true);
  expect(await isLoggedIn(elsewhere)).toBe(false);
  await logIn('bert', 'hop-garden').expect(400);
  await logIn('bert', 'new-hop-garden').expect(200);
});

test('a key is shown only when created, and works until it is deactivated or deleted', async () => {
  const bert = server.createConfirmedCookie('bert');
  const created = await call('post', '/api-keys', bert, { description: 'bar tablet' }).expect(201);
  const { id, key, prefix } = created.body.result.api_key;
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  expect(key.slice(0, 8)).toBe(prefix);
  const keyStatus = async () =>
    (await request(server.app).get('/api/api-keys').set('X-Kegbot-Api-Key', key)).status;
  expect(await keyStatus()).toBe(200);

  const list = await call('get', '/api-keys', bert).expect(200);
  expect(list.text).not.toContain(key);
  expect(list.body.result).toMatchObject({
    paging: { total: 2 },
    api_keys: [{ id, key: null, user_id: 'bert', description: 'bar tablet', is_active: true }, {}],
  });
  await call('patch', `/api-keys/${id}`, bert, { is_active: false }).expect(200);
  expect(await keyStatus()).toBe(401);
  await call('put', `/api-keys/${id}`, bert, { is_active: true, description: 'door' }).expect(200);
  expect(await keyStatus()).toBe(200);
  expect((await call('get', `/api-keys/${id}`, bert)).body.result.api_key.description).toBe('door');
  expect((await call('delete', `/api-keys/${id}`, bert).expect(200)).body).toEqual({ result: {} });
  expect(await keyStatus()).toBe(401);
});

test('nobody, not even staff, can read or change the keys of others', async () => {
  const bert = server.createConfirmedCookie('bert');
  const { id } = (await call('post', '/api-keys', bert, {}).expect(201)).body.result.api_key;
  for (const method of ['get', 'patch', 'delete'] as const) {
    await call(method, `/api-keys/${id}`, anna, method === 'patch' ? {} : undefined).expect(404);
  }
  const own = (await call('get', '/api-keys', anna)).body.result.api_keys;
  expect(own.map(({ user_id }: { user_id: string }) => user_id)).toEqual(['anna']);
});

test('regenerate replaces the only key, and is refused when there are several', async () => {
  const bert = server.createConfirmedCookie('bert');
  const regenerate = () => call('post', '/account/regenerate-api-key', bert);
  const { key } = (await regenerate().expect(200)).body.result.api_key;
  await request(server.app).get('/api/api-keys').set('X-Kegbot-Api-Key', server.guestKey).expect(401);
  await request(server.app).get('/api/api-keys').set('X-Kegbot-Api-Key', key).expect(200);
  await call('post', '/api-keys', bert, {}).expect(201);
  await regenerate().expect(409);
  server.engine.users.addUser({ username: 'cleo' }, server.now());
  await call('post', '/account/regenerate-api-key', server.createConfirmedCookie('cleo')).expect(200);
});

test('refuses more than 100 keys for one user', async () => {
  const bert = server.engine.users.user('bert')!;
  for (let i = 1; i < 100; i++)
    server.engine.users.ownKeys.create(bert, {}, { actor: systemActor, now: server.now() });
  await call('post', '/api-keys', server.createConfirmedCookie('bert'), {}).expect(409);
});

test('a user sets and deletes a public picture', async () => {
  const bert = server.createConfirmedCookie('bert');
  const png = await sharp({ create: { width: 30, height: 30, channels: 3, background: '#c35900' } })
    .png()
    .toBuffer();
  const upload = (field: string) =>
    request(server.app).post('/api/account/mugshot').set('Cookie', bert).attach(field, png, 'bert.png');
  expect((await upload('photo').expect(400)).body.error.fields).toHaveProperty('image');
  const address = (await upload('image').expect(200)).body.result.user.mugshot_url;
  await request(server.app).get(address).expect('Content-Type', /jpeg/).expect(200);
  const shownAddress = async () =>
    (await request(server.app).get('/api/users/bert')).body.result.user.mugshot_url;
  expect(await shownAddress()).toBe(address);
  await call('delete', '/account/mugshot', bert).expect(200);
  expect(await shownAddress()).toBe('');
  await request(server.app).get(address).expect(404);
});
