import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createSecret } from '../../../../src/engine/users/mailed-secrets.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

const password = 'a rather long password';
const minute = 60_000;

let server: TestServer;
let root: string;
let bertKey: string;

beforeEach(async () => {
  server = createTestServer();
  const { users } = server.engine;
  const { passwords } = server.engine.users;
  users.addUser({ username: 'root', isSuperuser: true }, server.now());
  const { id } = users.user('bert')!;
  const hashed = await passwords.hash(password);
  server.store.transaction(() => server.store.users.setPassword(id, hashed));
  root = server.createConfirmedCookie('root');
  bertKey = users.createKey('bert', 'Till', server.now()).secret;
});

type Method = 'get' | 'post' | 'patch' | 'delete';
const call = (method: Method, path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
const useKey = (key = bertKey, address = '192.0.2.7') =>
  request(server.app).get('/api/api-keys').set({ 'X-Kegbot-Api-Key': key, 'X-Forwarded-For': address });
const keysOf = (username: string) =>
  server.engine.users.ownKeys.list(server.engine.users.user(username)!.id, {});
const isLoggedIn = async (cookie: string) =>
  (await call('get', '/users/me', cookie).expect(200)).body.result.user !== null;
const actions = (username: string) =>
  server.engine.audit
    .list({ subject: { kind: 'user', id: username } })
    .items.map(({ action, username: actor }) => [action, actor]);

test('creating, renaming, disabling, enabling and deleting a key are in the audit log, without the key', async () => {
  const bert = server.createConfirmedCookie('bert');
  const { body } = await call('post', '/api-keys', bert, { description: 'Door' }).expect(201);
  const { id, key, prefix } = body.result.api_key;
  for (const change of [{ description: 'Gate' }, { is_active: false }, { is_active: true }, {}])
    await call('patch', `/api-keys/${id}`, bert, change).expect(200);
  await call('delete', `/api-keys/${id}`, bert).expect(200);
  const { items } = server.engine.audit.list({ subject: { kind: 'user', id: 'bert' } });
  expect(items.map(({ action, before, after }) => [action, before, after])).toEqual([
    ['user.key_deleted', JSON.stringify({ prefix, niceName: 'Gate', isActive: true }), null],
    [
      'user.key_enabled',
      JSON.stringify({ prefix, niceName: 'Gate', isActive: false }),
      JSON.stringify({ prefix, niceName: 'Gate', isActive: true }),
    ],
    [
      'user.key_disabled',
      JSON.stringify({ prefix, niceName: 'Gate', isActive: true }),
      JSON.stringify({ prefix, niceName: 'Gate', isActive: false }),
    ],
    [
      'user.key_changed',
      JSON.stringify({ prefix, niceName: 'Door', isActive: true }),
      JSON.stringify({ prefix, niceName: 'Gate', isActive: true }),
    ],
    ['user.key_created', null, JSON.stringify({ prefix, niceName: 'Door', isActive: true })],
  ]);
  expect(JSON.stringify(items)).not.toContain(key);
});

test('regenerating a key logs the old one as deleted and the new one as created', async () => {
  server.engine.users.addUser({ username: 'cleo' }, server.now());
  const cleo = server.createConfirmedCookie('cleo');
  for (let i = 0; i < 2; i++) await call('post', '/account/regenerate-api-key', cleo).expect(200);
  expect(actions('cleo').map(([action]) => action)).toEqual([
    'user.key_created',
    'user.key_deleted',
    'user.key_created',
  ]);
});

test('superusers list the keys of others with when and from where they were last used, and end them', async () => {
  server = createTestServer({ settings: { trustProxy: true, rateLimits: false, hosts: [] } });
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  root = server.createConfirmedCookie('root');
  bertKey = server.engine.users.createKey('bert', 'Till', server.now()).secret;
  const list = async () => (await call('get', '/users/bert/api-keys', root).expect(200)).body.result.api_keys;
  expect((await list())[0]).toMatchObject({ last_used_time: null, last_used_address: null });
  await useKey(bertKey, '192.0.2.7').expect(200);
  server.setClock({ wallMs: server.now().wallMs + minute, monoMs: server.now().monoMs + minute });
  await useKey(bertKey, '198.51.100.9').expect(200);
  const [key, older] = await list();
  expect(key).toMatchObject({
    user_id: 'bert',
    key: null,
    description: 'Till',
    last_used_time: '2026-05-02T17:01:00Z',
    last_used_address: '198.51.100.9',
  });
  await call('delete', `/users/anna/api-keys/${key.id}`, root).expect(404);
  await call('delete', `/users/bert/api-keys/${key.id}`, root).expect(200);
  await useKey().expect(401);
  expect((await list()).map(({ id }: { id: number }) => id)).toEqual([older.id]);
  expect(actions('bert')).toEqual([['user.key_deleted', 'root']]);
});

test('the owner sees the last use of a key at once', async () => {
  const own = async () =>
    (await useKey().expect(200)).body.result.api_keys.find(
      ({ description }: { description: string }) => description === 'Till',
    );
  expect(await own()).toMatchObject({ last_used_time: '2026-05-02T17:00:00Z' });
  server.setClock({ wallMs: server.now().wallMs + minute, monoMs: server.now().monoMs + minute });
  expect(await own()).toMatchObject({ last_used_time: '2026-05-02T17:01:00Z' });
});

test('a password set by a superuser ends all logins, keys and the PIN', async () => {
  const bert = server.createLoginCookie('bert');
  await call('post', '/users/bert/set-password', root, { password: 'another long one' }).expect(200);
  expect(await isLoggedIn(bert)).toBe(false);
  for (const key of [bertKey, server.guestKey]) await useKey(key).expect(401);
  expect(actions('bert')).toEqual([
    ['user.password_set', 'root'],
    ['user.keys_ended', 'root'],
  ]);
  const { before } = server.engine.audit.list({ action: 'user.keys_ended' }).items[0]!;
  expect(JSON.parse(before!)).toMatchObject({ count: 2, niceName: 'Till, test' });
  expect(before).not.toContain(bertKey);
});

test.each([
  [
    'a deactivation',
    async () => (await call('patch', '/users/bert', root, { is_active: false })).body.result,
  ],
  [
    'the undo of an activation',
    async () => {
      await call('patch', '/users/bert', root, { is_active: false }).expect(200);
      const active = await call('patch', '/users/bert', root, { is_active: true });
      const { engine } = server;
      for (const key of ['one', 'two']) engine.users.createKey('bert', key, server.now());
      server.createLoginCookie('bert');
      invite();
      return call('post', `/corrections/${active.body.result.correction_id}/undo`, root);
    },
  ],
])('%s ends logins, keys and invitations for good, and the log says how many', async (_what, deactivate) => {
  const bert = server.createLoginCookie('bert');
  const code = invite();
  await deactivate();
  const counts = ['user.logins_ended', 'user.keys_ended'].map((action) => {
    const [entry] = server.engine.audit.list({ action }).items;
    return [entry!.username, entry!.subject.id, JSON.parse(entry!.before!).count];
  });
  expect(counts).toEqual([
    ['root', 'bert', 1],
    ['root', 'bert', 2],
  ]);
  await call('patch', '/users/bert', root, { is_active: true }).expect(200);
  for (const key of [bertKey, server.guestKey]) await useKey(key).expect(401);
  expect(await isLoggedIn(bert)).toBe(false);
  const { engine, now } = server;
  expect(engine.users.invitations.list(engine.users.user('bert')!, { limit: 5 }, now()).items).toEqual([]);
  expect(code).toContain('invite_code=');
});

/** Bert makes an invitation; returns its link. */
function invite(): string {
  const { engine, now } = server;
  engine.users.changeSite({ registrationMode: 'member-invite-only' });
  return engine.users.invitations.createLink(engine.users.user('bert')!, { forEmail: '', siteUrl: '' }, now())
    .link;
}

test.each([true, false])('a changed password ends the keys if the owner chooses so: %s', async (ends) => {
  const [bert, other] = [server.createLoginCookie('bert'), server.createLoginCookie('bert')];
  const body = {
    current_password: password,
    new_password: 'another long one',
    ...(ends && { end_keys: true }),
  };
  await call('post', '/account/password', bert, body).expect(200);
  expect([await isLoggedIn(bert), await isLoggedIn(other)]).toEqual([true, false]);
  expect(keysOf('bert').total).toBe(ends ? 0 : 2);
  await useKey().expect(ends ? 401 : 200);
});

test.each([true, false])('a reset by mail ends the keys if the owner chooses so: %s', async (ends) => {
  const { id } = server.engine.users.user('bert')!;
  const input = { purpose: 'password_reset', userId: id, email: '', lifeMs: minute, keep: 1 } as const;
  const { secret } = server.store.transaction(() => createSecret(server.store, input, server.now()));
  const body = {
    uid: String(id),
    token: secret,
    new_password: 'another long one',
    ...(ends && { end_keys: true }),
  };
  await call('post', '/auth/password-reset-confirm', '', body).expect(200);
  expect(keysOf('bert').total).toBe(ends ? 0 : 2);
});

test.each([true, false])('who ends the logins of a person ends the keys too if asked: %s', async (ends) => {
  const bert = server.createLoginCookie('bert');
  const { body } = await call('delete', `/users/bert/logins?end_keys=${ends}`, root).expect(200);
  expect(body.result).toEqual({ ended: 1, ended_keys: ends ? 2 : 0 });
  expect(await isLoggedIn(bert)).toBe(false);
  await useKey().expect(ends ? 401 : 200);
});

test('a cookie whose password was not entered again makes and changes no key', async () => {
  const bert = server.createLoginCookie('bert');
  const { id } = keysOf('bert').items[0]!;
  for (const [method, path] of [
    ['post', '/api-keys'],
    ['post', '/account/regenerate-api-key'],
    ['patch', `/api-keys/${id}`],
    ['delete', `/api-keys/${id}`],
  ] as const) {
    const refused = await call(method, path, bert, {}).expect(403);
    expect(refused.body.error.reason.name).toBe('password_needed');
  }
  expect(keysOf('bert').total).toBe(2);
});

test('a key made on the command line is in the audit log', () => {
  const actor = { userId: null, via: 'console' } as const;
  server.engine.users.createKey('bert', 'board', server.now(), actor);
  expect(server.engine.audit.list({ action: 'user.key_created' }).items).toMatchObject([
    { via: 'console', subject: { kind: 'user', id: 'bert' } },
  ]);
});
