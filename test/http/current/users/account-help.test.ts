import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { makeDummyHash } from '../../../../src/engine/users/secrets.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

let server: TestServer;
let anna: string;
let root: string;

beforeEach(() => {
  server = createTestServer();
  server.engine.users.addUser({ username: 'root', isSuperuser: true }, server.now());
  anna = server.createConfirmedCookie('anna');
  root = server.createConfirmedCookie('root');
});

type Method = 'get' | 'post' | 'patch' | 'delete';
const call = (method: Method, path: string, cookie: string, body?: object) =>
  request(server.app)[method](`/api${path}`).set('Cookie', cookie).send(body);
const setPin = (username: string) =>
  server.store.users.pins.set(server.engine.users.user(username)!.id, makeDummyHash(4));
const newestAction = () => server.engine.audit.list({}).items[0];

test('staff see the logins of a person and end them all, which is in the audit log', async () => {
  const [one, other] = [server.createConfirmedCookie('bert'), server.createLoginCookie('bert')];
  const { body } = await call('get', '/users/bert/logins', anna).expect(200);
  expect(body.result.logins).toMatchObject([
    { by: 'password', is_this: false },
    { by: 'password', is_this: false },
  ]);
  expect((await call('delete', '/users/bert/logins', anna).expect(200)).body.result).toEqual({
    ended: 2,
    ended_keys: 0,
  });
  for (const cookie of [one, other]) await call('get', '/account/logins', cookie).expect(401);
  expect(newestAction()).toMatchObject({ action: 'user.logins_ended', username: 'anna' });
  expect((await call('delete', '/users/bert/logins', anna).expect(200)).body.result).toEqual({
    ended: 0,
    ended_keys: 0,
  });
});

test('who ends the own logins stays logged in', async () => {
  const other = server.createConfirmedCookie('anna');
  expect((await call('delete', '/users/anna/logins', anna).expect(200)).body.result).toEqual({
    ended: 1,
    ended_keys: 0,
  });
  await call('get', '/account/logins', other).expect(401);
  await call('get', '/account/logins', anna).expect(200);
});

test('superusers delete a forgotten PIN of staff; the state of the person tells of it', async () => {
  server.engine.users.addUser({ username: 'carl', isStaff: true }, server.now());
  setPin('carl');
  const state = async () => (await call('get', '/users/carl/state', anna).expect(200)).body.result;
  expect(await state()).toMatchObject({ has_pin: true, is_pin_locked: false });
  await call('delete', '/users/carl/pin', root).expect(200);
  expect(await state()).toMatchObject({ has_pin: false });
  expect(newestAction()).toMatchObject({ action: 'user.pin_removed' });
  await call('delete', '/users/carl/pin', root).expect(200);
});

test('an address that staff enter is saved when the person confirms it', async () => {
  await call('post', '/users/bert/email', anna, { email: 'bert@example.org' }).expect(409);
  const mail = {
    host: '127.0.0.1',
    port: 9,
    security: 'none',
    fromAddress: 'bar@example.org',
    baseUrl: 'http://bar.example',
  } as const;
  server.engine.notifications.mail.change(mail, systemActor, server.now());
  await call('post', '/users/bert/email', anna, { email: 'no address' }).expect(400);
  await call('post', '/users/bert/email', anna, { email: 'bert@example.org' }).expect(200);
  const state = async () => (await call('get', '/users/bert/state', anna)).body.result;
  expect(await state()).toMatchObject({ has_email: false });
  const payload = JSON.stringify(server.engine.notifications.outbox.list({}).items);
  expect(payload).toContain('bert@example.org');
  expect(newestAction()).toMatchObject({ action: 'user.email_asked', after: null });
});

test('a superuser exports what is stored of a person, staff do not', async () => {
  const { body } = await call('get', '/users/bert/export', root).expect(200);
  expect(body.result).toMatchObject({ user: { username: 'bert' }, drinks_total: 0 });
  await call('get', '/users/bert/export', anna).expect(403);
  await call('get', '/users/nobody/export', root).expect(404);
});

test('lists people by role, for staff', async () => {
  server.engine.users.addUser({ username: 'carl', isStaff: true, isSuperuser: true }, server.now());
  const names = async (role: string) => {
    const { body } = await call('get', `/users?role=${role}`, anna).expect(200);
    return body.result.users.map(({ username }: { username: string }) => username);
  };
  expect(await names('member')).toEqual(['bert']);
  expect(await names('staff')).toEqual(['anna']);
  expect(await names('superuser')).toEqual(['carl', 'root']);
  await call('get', '/users?role=staff', server.createConfirmedCookie('bert')).expect(403);
  await call('get', '/users?role=boss', anna).expect(400);
});
