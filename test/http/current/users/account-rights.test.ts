import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let root: string;

beforeEach(() => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  root = server.createConfirmedCookie('root');
});

type Method = 'get' | 'post' | 'patch' | 'delete';
type Headers = Readonly<Record<string, string>>;
const call = (method: Method, path: string, headers: Headers, body?: object) =>
  request(server.app)[method](`/api${path}`).set(headers).send(body);
const changeAsRoot = (username: string, body: object, status: number) =>
  call('patch', `/users/${username}`, { Cookie: root }, body).expect(status);
const get = (username: string) => server.engine.users.user(username)!;

/** Method, path and body. */
type Case = readonly [Method, string, object | undefined];
const onSuperuser: readonly Case[] = [
  ['patch', '/users/root', { username: 'ruth' }],
  ['patch', '/users/root', { display_name: 'Ruth' }],
  ['patch', '/users/root', { email: 'mine@example.org' }],
  ['patch', '/users/root', { is_active: false }],
  ['patch', '/users/root', { is_staff: true }],
  ['patch', '/users/root', { is_superuser: false }],
  ['post', '/users/root/set-password', { password: 'a new long password' }],
  ['post', '/users/root/email', { email: 'mine@example.org' }],
  ['get', '/users/root/logins', undefined],
  ['delete', '/users/root/logins', undefined],
  ['delete', '/users/root/pin', undefined],
  ['post', '/users/root/erase', undefined],
  ['get', '/users/root/export', undefined],
  ['post', '/users/root/aliases', { username: 'ruth' }],
  ['delete', '/users/root/aliases/ruth', undefined],
];
const onOthers: readonly Case[] = [
  ['patch', '/users/anna', { is_superuser: true }],
  ['patch', '/users/bert', { is_superuser: true }],
  ['post', '/users/bert/erase', undefined],
  ['get', '/users/bert/export', undefined],
  ['post', '/users/bert/aliases', { username: 'berti' }],
];

test.each([...onSuperuser, ...onOthers])('staff may not %s %s %j', async (method, path, body) => {
  const before = server.engine.audit.list({}).total;
  for (const headers of [
    { Cookie: server.createConfirmedCookie('anna') },
    { 'X-Kegbot-Api-Key': server.staffKey },
  ]) {
    await call(method, path, headers, body).expect(403);
  }
  expect(get('root')).toMatchObject({ isActive: true, isSuperuser: true, displayName: 'root', email: '' });
  expect(get('anna').isSuperuser).toBe(false);
  expect(server.engine.audit.list({}).total).toBe(before);
});

test.each([
  ...onSuperuser,
  ...onOthers,
  ['patch', '/users/bert', { is_staff: true }],
  ['get', '/users/bert/state', undefined],
  ['delete', '/users/bert/logins', undefined],
  ['delete', '/users/bert/pin', undefined],
  ['get', '/auth-tokens', undefined],
  ['post', '/auth-tokens', { auth_device: 'core.rfid', token_value: '01', user: 'root' }],
  ['get', '/admin/auth-tokens/core.rfid.01/history', undefined],
] satisfies readonly Case[])(
  'a tablet unlocked by the PIN of a superuser may not %s %s %j',
  async (method, path, body) => {
    const { status, body: reply } = await call(
      method,
      path,
      server.createUnlockedTablet('Bar', 'root'),
      body,
    );
    expect([status, reply.error?.reason?.name]).toEqual([403, 'not_on_tablets']);
  },
);

test.each([
  ...onSuperuser,
  ...onOthers,
  ['delete', '/users/anna/logins', undefined],
  ['delete', '/users/anna/pin', undefined],
  ['get', '/users/anna/logins', undefined],
  ['post', '/users/anna/email', { email: 'mine@example.org' }],
  ['patch', '/users/bert', { is_staff: true }],
] satisfies readonly Case[])('a member may not %s %s %j', async (method, path, body) => {
  const headers = { 'X-Kegbot-Api-Key': server.guestKey };
  await call(method, path, headers, body).expect(403);
  await call(method, path, {}, body).expect(401);
});

test('a superuser who confirmed the password makes another superuser, a key may not', async () => {
  await changeAsRoot('anna', { is_superuser: true }, 200);
  expect(get('anna')).toMatchObject({ isSuperuser: true, isStaff: true });
  const { items } = server.engine.audit.list({ action: 'user.changed' });
  expect(JSON.parse(items[0]!.after!)).toMatchObject({ isSuperuser: true });
  const unconfirmed = { Cookie: server.createLoginCookie('root') };
  const refused = await call('patch', '/users/bert', unconfirmed, { is_superuser: true }).expect(403);
  expect(refused.body.error.reason.name).toBe('password_needed');
  const key = server.engine.users.createKey('root', 'test', server.now()).secret;
  await call('patch', '/users/bert', { 'X-Kegbot-Api-Key': key }, { is_superuser: true }).expect(403);
});

test('the last active superuser stays, also when other superusers are inactive', async () => {
  const reason = async (body: object) =>
    (await changeAsRoot('root', body, 409)).body.error.reason.name as string;
  expect(await reason({ is_superuser: false })).toBe('last_superuser');
  expect(await reason({ is_superuser: false, is_staff: true })).toBe('last_superuser');
  expect(await reason({ is_active: false })).toBe('last_superuser');
  await changeAsRoot('bert', { is_superuser: true }, 200);
  await changeAsRoot('bert', { is_active: false }, 200);
  expect(await reason({ is_active: false })).toBe('last_superuser');
  await changeAsRoot('bert', { is_active: true }, 200);
  await changeAsRoot('root', { is_superuser: false }, 200);
  expect(get('root').isSuperuser).toBe(false);
  // The role is gone at once.
  await changeAsRoot('root', { is_superuser: true }, 403);
});
