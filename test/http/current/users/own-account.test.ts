import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { headersOf } from '../../../outbox/test-outbox.ts';
import { createServerWithMail, type ServerWithMail } from '../server-with-mail.ts';

let server: ServerWithMail;
let bert: string;

beforeEach(async () => {
  server = await createServerWithMail();
  bert = server.createConfirmedCookie('bert');
});
afterEach(() => server.close());

const change = (body: object, cookie = bert) => server.call('patch', '/users/me', { cookie, body });

test('members change their display name and the language of their mails', async () => {
  const { body } = await change({ display_name: ' Berti ', notification_language: 'de' }).expect(200);
  expect(body.result.user).toMatchObject({ display_name: 'Berti', notification_language: 'de' });
  expect(body.result.site.title).toBe('Tapster');
  expect((await server.call('get', '/users/me', { cookie: bert })).body.result).toEqual(body.result);
  expect((await change({ display_name: '' })).body.result.user.display_name).toBe('bert');
  const cleared = (await change({ notification_language: null })).body.result.user;
  expect(cleared.notification_language).toBeNull();
  const [entry] = server.engine.audit.list({ action: 'user.changed', username: 'bert' }).items;
  expect(entry).toMatchObject({ via: 'page', subject: { kind: 'user', id: 'bert' } });
});

test('a new e-mail address is saved only when the mailed link is used', async () => {
  const { body } = await change({ email: 'berti@example.org', notification_language: 'de' }).expect(200);
  expect(body.result.user.email).toBe('bert@example.org');
  const link = await server.linkTo('berti@example.org', 'Bestätige deine E-Mail-Adresse');
  const token = link.pathname.split('/').at(-1)!;
  const confirmed = await server.call('post', '/account/confirm-email', { cookie: bert, body: { token } });
  expect(confirmed.body.result.user.email).toBe('berti@example.org');
});

test('a request with one wrong field changes nothing', async () => {
  for (const wrong of [{ email: 'at home' }, { email: 'bert@example.org' }]) {
    await change({ display_name: 'Berti', ...wrong }).expect(400);
  }
  await change({ email: 'berti@example.org', display_name: 'a\u202eb' }).expect(400);
  expect(await server.newMails()).toEqual([]);
  expect(server.engine.users.user('bert')?.displayName).toBe('bert');
});

test.each([
  ['is_staff', { is_staff: true }],
  ['username', { username: 'anna2' }],
  ['notification_language', { notification_language: 'tlh' }],
])('members cannot change %s', async (field, body) => {
  expect((await change(body).expect(400)).body.error.fields).toHaveProperty(field);
});

test('the own account cannot be changed without a login, and can be whatever the site’s privacy', async () => {
  await change({ display_name: 'Berti' }, '').expect(401);
  server.engine.users.changeSite({ privacy: 'staff' });
  await change({ display_name: 'Berti' }).expect(200);
});

test('mails are written in the language of their reader', async () => {
  const anna = server.createConfirmedCookie('anna');
  await server
    .call('patch', '/users/bert', { cookie: anna, body: { notification_language: 'de' } })
    .expect(200);
  for (const email of ['bert@example.org', 'anna@example.org'])
    await server.call('post', '/auth/password-reset', { body: { email } }).expect(200);
  const mails = await server.newMails();
  expect(mails.map((mail) => [mail.to[0], headersOf(mail).get('subject')])).toEqual([
    ['bert@example.org', '[Tapster] Passwort zurücksetzen'],
    ['anna@example.org', '[Tapster] Reset password'],
  ]);
});

test('an export contains all that is stored about the member, and nothing of others', async () => {
  const { engine, store } = server;
  const anna = server.createConfirmedCookie('anna');
  const fob = { auth_device: 'core.rfid', token_value: '0A1B', user: 'bert' };
  await server.call('post', '/auth-tokens', { cookie: anna, body: fob }).expect(201);
  for (const username of ['bert', 'anna', 'bert']) {
    insertDrink(store, { tap: 'pi.flow0', ticks: 100, username }, server.now());
  }
  await server.call('patch', '/users/bert', { cookie: anna, body: { username: 'bertram' } }).expect(200);
  for (const username of ['bertram', 'anna']) {
    const { id: userId } = engine.users.user(username)!;
    const attempt = {
      address: '192.168.1.66',
      network: '192.168.1.66',
      userId,
      method: 'password',
      outcome: 'failed',
    } as const;
    engine.users.loginLog.record(attempt, server.now());
    engine.users.loginLog.flush(server.now(), { all: true });
  }
  const { body } = await server.call('get', '/users/me/export', { cookie: bert }).expect(200);
  expect(body.result).toMatchObject({
    exported_time: '2026-05-02T17:00:00Z',
    user: { username: 'bertram', email: 'bert@example.org' },
    aliases: ['bert'],
    tokens: [{ token_value: '0a1b' }],
    api_keys: [{ key: null }],
    logins: [{ is_this: true }],
    login_history_total: 1,
    login_history: [{ outcome: 'failed', method: 'password', address: '192.168.1.66', count: 1 }],
    invitations: [],
    notification_settings: [],
    drinks_total: 2,
    drinks: [{ user_id: 'bertram' }, { user_id: 'bertram' }],
  });
  expect(JSON.stringify(body)).not.toContain('anna');
  await server.call('get', '/users/me/export').expect(401);
});
