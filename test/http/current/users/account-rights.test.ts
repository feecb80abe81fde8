import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let root: string;

beforeEach(() => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  server.engine.users.addUser({ username: 'carl', isStaff: true }, server.now());
  server.engine.users.createKey('carl', 'Till', server.now());
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
/** What a colleague is reached by and may do: whoever changes it could act under that name. */
const onColleague: readonly Case[] = [
  ['patch', '/users/carl', { email: 'mine@example.org' }],
  ['patch', '/users/carl', { is_staff: false }],
  ['patch', '/users/carl', { is_active: false }],
  ['post', '/users/carl/set-password', { password: 'a new long password' }],
  ['post', '/users/carl/send-activation', undefined],
  ['post', '/users/carl/email', { email: 'mine@example.org' }],
  ['get', '/users/carl/logins', undefined],
  ['delete', '/users/carl/logins', undefined],
  ['delete', '/users/carl/pin', undefined],
  ['get', '/users/carl/api-keys', undefined],
  ['delete', '/users/carl/api-keys/3', undefined],
];
const onOthers: readonly Case[] = [
  ['patch', '/users/anna', { is_superuser: true }],
  ['patch', '/users/bert', { is_superuser: true }],
  ['post', '/users/bert/erase', undefined],
  ['get', '/users/bert/export', undefined],
  ['post', '/users/bert/aliases', { username: 'berti' }],
];

test.each([...onSuperuser, ...onColleague, ...onOthers])(
  'staff may not %s %s %j',
  async (method, path, body) => {
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
  },
);

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

test.each(onColleague)('a superuser may %s %s %j', async (method, path, body) => {
  const { status } = await call(method, path, { Cookie: root }, body);
  // Without a mail server no link can be sent.
  expect(status).toBe(/email$|activation$/.test(path) ? 409 : 200);
});

test.each([
  ['post', '/users/bert/set-password', { password: 'a new long password' }],
  ['patch', '/users/bert', { email: 'bert@example.org' }],
  ['patch', '/users/bert', { is_active: false }],
  ['delete', '/users/bert/logins', undefined],
] satisfies readonly Case[])('staff help guests: %s %s %j', async (method, path, body) => {
  await call(method, path, { Cookie: server.createConfirmedCookie('anna') }, body).expect(200);
});

test('staff do not get at a colleague’s account by demoting it, nor by an undo', async () => {
  const promoted = await changeAsRoot('bert', { is_staff: true }, 200);
  const anna = { Cookie: server.createConfirmedCookie('anna') };
  const undo = `/corrections/${promoted.body.result.correction_id}/undo`;
  expect((await call('post', undo, anna, {}).expect(403)).body.error.reason.name).toBe('superuser_needed');
  expect(get('bert').isStaff).toBe(true);
});

test('nobody sets the own password for another one: the account page asks for the present one', async () => {
  for (const username of ['root', 'anna']) {
    const cookie = { Cookie: server.createConfirmedCookie(username) };
    const body = { password: 'a new long password' };
    const refused = await call('post', `/users/${username}/set-password`, cookie, body).expect(403);
    expect(refused.body.error.reason.name).toBe('own_password');
  }
});
