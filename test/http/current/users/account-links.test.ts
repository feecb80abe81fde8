import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { omitUndefined } from '../../../../src/core/omit-undefined.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { newestRows } from '../../../../src/store/shared/slice.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { headersOf } from '../../../outbox/test-outbox.ts';
import { createServerWithMail, findLink, type ServerWithMail } from '../server-with-mail.ts';

let server: ServerWithMail;

beforeEach(async () => {
  server = await createServerWithMail();
});
afterEach(() => server.close());

const hour = 3_600_000;
const day = 24 * hour;
const newPassword = 'a-new-hop-garden';

const requestReset = (email: string, host?: string) =>
  server.call('post', '/auth/password-reset', { body: { email }, ...omitUndefined({ host }) });
const parseProof = ({ pathname }: URL) => {
  const [, uid, token] = /^\/accounts\/password\/reset\/confirm\/(\d+)-([A-Za-z0-9_-]{43})\/$/.exec(
    pathname,
  )!;
  return { uid: uid!, token: token! };
};
const reset = (proof: { uid: string; token: string }, password = newPassword) =>
  server.call('post', '/auth/password-reset-confirm', { body: { ...proof, new_password: password } });
const requestProof = async (email: string) => {
  await requestReset(email).expect(200);
  return parseProof(await server.linkTo(email, 'Reset password'));
};
const logIn = (username: string, password: string) =>
  server.call('post', '/auth/login', { body: { username, password } });
const advanceClock = (ms: number) =>
  server.setClock({ wallMs: server.now().wallMs + ms, monoMs: server.now().monoMs + ms });

test('the mailed link resets the password once and ends every login', async () => {
  const cookie = server.createConfirmedCookie('bert');
  const proof = await requestProof('bert@example.org');
  await reset(proof, 'short').expect(400);
  await reset(proof).expect(200);
  await logIn('bert', newPassword).expect(200);
  await server.call('get', '/invitations', { cookie }).expect(401);
  const repeated = await reset(proof, 'one-more-password').expect(400);
  expect(repeated.body.error.fields).toHaveProperty('token');
  await logIn('bert', newPassword).expect(200);
  expect(server.engine.audit.list({ action: 'user.password_reset' }).items).toHaveLength(1);
});

test('a password reset for an unknown address gets the same answer and the same database work', async () => {
  const countSecrets = () =>
    Number(server.store.users.mailedSecrets.page(null, 'password_reset', newestRows(9)).length);
  const knownReply = await requestReset('bert@example.org').expect(200);
  await server.linkTo('bert@example.org', 'Reset password');
  const unknownReply = await requestReset('nobody@example.org').expect(200);
  expect(unknownReply.body).toEqual(knownReply.body);
  expect(Object.keys(unknownReply.headers)).toEqual(Object.keys(knownReply.headers));
  expect(countSecrets()).toBe(1);
  await requestReset('not an address at all').expect(200);
  expect(await server.newMails()).toEqual([]);
  for (let i = 0; i < 9; i++) await requestReset(`nobody${i}@example.org`).expect(200);
  expect(countSecrets()).toBe(3);
});

test('every active account with the address gets its own link, ignoring the case of letters', async () => {
  const now = server.now();
  server.engine.users.addUser({ username: 'berta', email: 'BERT@example.org' }, now);
  server.engine.users.addUser({ username: 'off', email: 'bert@example.org' }, now);
  server.engine.users.accounts.change('off', { isActive: false }, systemActor, now);
  server.engine.users.addUser({ username: 'homeless' }, now);
  await requestReset(' bert@EXAMPLE.org ').expect(200);
  const mails = await server.newMails();
  // Mail goes to the stored address, never to the typed one.
  expect(mails.map(({ to }) => to.join()).sort()).toEqual(['BERT@example.org', 'bert@example.org']);
  const uids = mails.map((mail) => parseProof(new URL(findLink(mail))).uid);
  const userId = (username: string) => String(server.engine.users.user(username)!.id);
  expect(uids.sort()).toEqual([userId('bert'), userId('berta')].sort());
  await requestReset('').expect(400);
});

test('a reset link is valid for three days, also across a restart', async () => {
  const proof = await requestProof('bert@example.org');
  advanceClock(3 * day - 1);
  server.setClock({ bootId: 'boot-2', monoMs: 1_000 });
  await reset({ ...proof, uid: '1' }).expect(400);
  advanceClock(1);
  await reset(proof).expect(400);
  advanceClock(-1);
  await reset(proof).expect(200);
});

test('a reset link requested before the clock was set is valid for three days as well', async () => {
  const set = server.now();
  server.setClock({ synced: false, wallMs: Date.UTC(2024, 0, 1) });
  const proof = await requestProof('bert@example.org');
  server.setClock({ ...set, monoMs: set.monoMs + 3 * day, wallMs: set.wallMs + 3 * day });
  await reset(proof).expect(400);
  server.setClock({ synced: false, bootId: 'boot-2', monoMs: 10 });
  expect((await reset(proof).expect(409)).body.error.message).toContain('clock is not set');
  server.setClock({ ...set, monoMs: set.monoMs + hour, wallMs: set.wallMs + hour });
  await reset(proof).expect(200);
});

test('a reset link is invalid after a change of the password, of the address or of the account’s state', async () => {
  const byStaff = { password: 'given-by-anna' };
  const cookie = server.createConfirmedCookie('anna');
  const first = await requestProof('bert@example.org');
  await server.call('post', '/users/bert/set-password', { cookie, body: byStaff }).expect(200);
  await reset(first).expect(400);
  const second = await requestProof('bert@example.org');
  server.engine.users.accounts.change('bert', { email: 'bert@new.example' }, systemActor, server.now());
  await reset(second).expect(400);
  const third = await requestProof('bert@new.example');
  server.engine.users.accounts.change('bert', { isActive: false }, systemActor, server.now());
  await reset(third).expect(400);
  await logIn('bert', newPassword).expect(400);
});

test('an account gets at most three reset links an hour', async () => {
  for (let i = 0; i < 6; i++) await requestReset('bert@example.org').expect(200);
  expect(await server.newMails()).toHaveLength(3);
  advanceClock(hour);
  await requestReset('bert@example.org').expect(200);
  expect(await server.newMails()).toHaveLength(1);
});

test.each([
  'evil.example',
  'evil.example:80',
  '10.9.8.7',
  'localhost.evil.example',
  'localhost@evil.example',
  '[::ffff:10.9.8.7]',
  '',
])('a link is not built from the invented host name “%s”', async (host) => {
  const refused = await requestReset('bert@example.org', host).expect(409);
  expect(refused.body.error.message).toContain('base_url');
  expect(refused.body.error.reason).toEqual({ name: 'no_site_address' });
  const unknownReply = await requestReset('nobody@example.org', host).expect(409);
  expect(unknownReply.body).toEqual(refused.body);
  await server.call('post', '/invitations', {
    cookie: server.createConfirmedCookie('anna'),
    host,
    body: { for_email: 'cleo@example.org' },
  });
  expect(await server.newMails()).toEqual([]);
});

test('a link contains neither an invented port nor an untrusted X-Forwarded-Host', async () => {
  await requestReset('bert@example.org', 'localhost:6666').expect(200);
  const link = await server.linkTo('bert@example.org', 'Reset password');
  expect(link.hostname).toBe('localhost');
  expect(link.port).not.toBe('6666');
  await request(server.app)
    .post('/api/auth/password-reset')
    .set('X-Forwarded-For', '10.0.0.1')
    .set('X-Forwarded-Host', 'evil.example')
    .send({ email: 'bert@example.org' })
    .expect(409);
});

test('links begin with the base URL set by staff, whatever the Host header is', async () => {
  server.engine.notifications.mail.change(
    { baseUrl: 'https://bar.example/tapster/' },
    systemActor,
    server.now(),
  );
  await requestReset('bert@example.org', 'evil.example').expect(200);
  const link = await server.linkTo('bert@example.org', 'Reset password');
  expect(link.href).toMatch(/^https:\/\/bar\.example\/tapster\/accounts\/password\/reset\/confirm\/\d+-/);
});

test('without a mail server, known and unknown addresses get the same refusal', async () => {
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  const knownReply = await requestReset('bert@example.org').expect(409);
  const unknownReply = await requestReset('nobody@example.org').expect(409);
  expect(knownReply.body).toEqual(unknownReply.body);
  const cookie = server.createConfirmedCookie('bert');
  const { body } = await server.call('get', '/users/me', { cookie });
  expect(body.result).toMatchObject({ sends_mail: false, can_invite: false });
  await server.call('post', '/account/email', { cookie, body: { email: 'b@new.example' } }).expect(409);
  await server.call('post', '/invitations', { cookie, body: { for_email: 'c@new.example' } }).expect(409);
});

test('a new e-mail address is confirmed by its link within a day, by its owner only', async () => {
  const requestChange = (email: string) =>
    server.call('post', '/account/email', {
      cookie: server.createConfirmedCookie('bert'),
      body: { email },
    });
  // The password was entered again just before.
  const confirm = (token: string, cookie = server.createConfirmedCookie('bert')) =>
    server.call('post', '/account/confirm-email', { cookie, body: { token } });
  const requestToken = async (email: string) => {
    await requestChange(email).expect(200);
    const link = await server.linkTo(email, 'Confirm your e-mail address');
    return /^\/account\/confirm-email\/([A-Za-z0-9_-]{43})$/.exec(link.pathname)![1]!;
  };
  const currentEmail = () => server.engine.users.user('bert')!.email;
  expect((await requestChange('bert@example.org').expect(400)).body.error.fields).toHaveProperty('email');
  await requestChange('at home').expect(400);
  const token = await requestToken('bert@new.example');
  expect(currentEmail()).toBe('bert@example.org');
  expect(
    (await confirm(token, server.createConfirmedCookie('anna')).expect(400)).body.error.fields,
  ).toHaveProperty('token');
  await confirm(token, '').expect(401);
  advanceClock(day);
  await confirm(token).expect(400);
  advanceClock(-1);
  expect((await confirm(token).expect(200)).body.result.user.email).toBe('bert@new.example');
  await confirm(token).expect(400);
  const older = await requestToken('bert@one.example');
  const newer = await requestToken('bert@two.example');
  await confirm(older).expect(400);
  await confirm(newer).expect(200);
  expect(currentEmail()).toBe('bert@two.example');
  const [entry] = server.engine.audit.list({ action: 'user.email_confirmed' }).items;
  expect(JSON.stringify(entry)).not.toContain('@');
});

test('a link of one kind is not accepted for another purpose', async () => {
  const { uid, token } = await requestProof('bert@example.org');
  const cookie = server.createConfirmedCookie('bert');
  await server.call('post', '/account/confirm-email', { cookie, body: { token } }).expect(400);
  const activation = { activation_key: token, password: newPassword };
  await server.call('post', '/account/activate', { body: activation }).expect(404);
  server.engine.users.changeSite({ registrationMode: 'member-invite-only' });
  const register = { username: 'cleo', email: 'cleo@example.org', password: newPassword, invite_code: token };
  await server.call('post', '/auth/register', { body: register }).expect(403);
  await reset({ uid, token }).expect(200);
});

test('the mail names the account, and its subject does not contain the link', async () => {
  await requestReset('bert@example.org').expect(200);
  const [mail] = await server.newMails();
  expect(mail!.text).toContain('bert');
  expect(headersOf(mail!).get('subject')).not.toContain('http');
});

test('no GET route shows an e-mail address to anybody but its owner', async () => {
  const anna = server.createConfirmedCookie('anna');
  insertDrink(server.store, { tap: 'pi.flow0', ticks: 600, username: 'bert' }, server.now());
  await server
    .call('post', '/invitations', { cookie: anna, body: { for_email: 'cleo@example.org' } })
    .expect(201);
  await requestReset('bert@example.org').expect(200);
  await server.newMails();
  const document = (await server.call('get', '/schema')).body;
  const pathValues: Readonly<Record<string, string>> = { id: '1', ref: '1', username: 'bert', sensor: '1' };
  let checked = 0;
  for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
    // The document has the addresses of its examples.
    if (methods.get === undefined || /setup|live|schema/.test(path)) continue;
    const address = path.replace(/\{(\w+)\}/g, (_all, name) => pathValues[name] ?? '1').replace(/^\/api/, '');
    const nobody = await server.call('get', address).buffer();
    const member = await server
      .call('get', address, { cookie: server.createConfirmedCookie('bert') })
      .buffer();
    const publicText = `${nobody.text ?? nobody.body}`;
    expect(publicText, path).not.toMatch(/@(?:example\.org)/);
    expect(`${member.text ?? ''}`, path).not.toMatch(/(?:anna|cleo)@/);
    checked += nobody.status === 200 ? 1 : 0;
  }
  expect(checked).toBeGreaterThan(20);
});
