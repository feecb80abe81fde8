import { afterEach, beforeEach, expect, test } from 'vitest';
import { omitUndefined } from '../../../../src/core/omit-undefined.ts';
import { systemActor } from '../../../../src/engine/engine.ts';
import { headersOf } from '../../../outbox/test-outbox.ts';
import { createServerWithMail, type ServerWithMail } from '../server-with-mail.ts';

let server: ServerWithMail;
let anna: string;
let bert: string;

beforeEach(async () => {
  server = await createServerWithMail();
  anna = server.createConfirmedCookie('anna');
  bert = server.createConfirmedCookie('bert');
});
afterEach(() => server.close());

const day = 24 * 3_600_000;
const cleo = { username: 'cleo', email: 'cleo@example.org', password: 'hop-garden' };

const register = (body: object) => server.call('post', '/auth/register', { body });
const invite = (cookie: string, body: object = { for_email: 'cleo@example.org' }) =>
  server.call('post', '/invitations', { cookie, body });
const setMode = (registrationMode: 'public' | 'member-invite-only' | 'staff-invite-only') =>
  server.engine.users.changeSite({ registrationMode });
const parseCode = (link: URL) => link.searchParams.get('invite_code')!;
const requestInvitation = async (cookie: string) => {
  await invite(cookie).expect(201);
  return parseCode(await server.linkTo('cleo@example.org', 'Invitation'));
};

test('public registration logs the user in and sends a welcome mail', async () => {
  const created = await register(cleo).expect(201);
  expect(created.body.result.user).toMatchObject({
    username: 'cleo',
    email: 'cleo@example.org',
    is_staff: false,
  });
  const cookie = String(created.headers['set-cookie']).split(';')[0]!;
  const { body } = await server.call('get', '/users/me', { cookie });
  expect(body.result).toMatchObject({ user: { username: 'cleo' }, can_invite: true, sends_mail: true });
  const [welcome, ...others] = await server.newMails();
  expect([welcome!.to, headersOf(welcome!).get('subject')]).toEqual([
    ['cleo@example.org'],
    '[Tapster] Welcome',
  ]);
  expect(others).toEqual([]);
  const { username, password } = cleo;
  await server.call('post', '/auth/login', { body: { username, password } }).expect(200);
});

test.each([
  ['username', { username: 'bert' }],
  ['username', { username: 'guest' }],
  ['username', { username: 'two words' }],
  ['username', { username: 'x'.repeat(31) }],
  ['email', { email: 'at home' }],
  ['email', { email: 'a@b.example, c@d.example' }],
  ['email', { email: 'cleo@example.org\r\nBcc: all@example.org' }],
  ['email', { email: undefined }],
  ['password', { password: 'hops' }],
  ['is_staff', { is_staff: true }],
])('refuses registration with an invalid %s', async (field, wrong) => {
  const { body } = await register({ ...cleo, ...wrong }).expect(400);
  expect(body.error.fields).toHaveProperty([field]);
  expect(server.engine.users.user('cleo')).toBeNull();
  expect(await server.newMails()).toEqual([]);
});

test('invite-only registration requires an unused invitation code', async () => {
  setMode('member-invite-only');
  const refused = await register(cleo).expect(403);
  expect(refused.body.error.message).toContain('invitation');
  const code = await requestInvitation(bert);
  await register({ ...cleo, invite_code: `${code.slice(0, 42)}${code.endsWith('A') ? 'B' : 'A'}` }).expect(
    403,
  );
  // The name is taken; the invitation stays valid.
  await register({ ...cleo, username: 'anna', invite_code: code }).expect(400);
  await register({ ...cleo, invite_code: code }).expect(201);
  const repeated = await register({ ...cleo, username: 'dora', invite_code: code }).expect(403);
  expect(repeated.body.error.message).toContain('used');
  const list = await server.call('get', '/invitations', { cookie: bert }).expect(200);
  expect(list.body.result.invitations).toEqual([]);
});

test('concurrent registrations with one invitation create one account', async () => {
  setMode('member-invite-only');
  const code = await requestInvitation(bert);
  const replies = await Promise.all(
    ['cleo', 'dora', 'emil'].map((username) => register({ ...cleo, username, invite_code: code })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
});

test('an invitation expires after a day or at the given time', async () => {
  setMode('member-invite-only');
  const defaultCode = await requestInvitation(bert);
  const expires = new Date(server.now().wallMs + 3 * day).toISOString();
  const created = await invite(bert, { for_email: 'dora@example.org', expires_date: expires }).expect(201);
  expect(created.body.result.invitation).toEqual({
    id: 2,
    for_email: 'dora@example.org',
    invited_date: '2026-05-02T17:00:00Z',
    expires_date: '2026-05-05T17:00:00Z',
    is_expired: false,
  });
  const longer = parseCode(await server.linkTo('dora@example.org', 'Invitation'));
  const later = (ms: number) => ({ wallMs: server.now().wallMs + ms, monoMs: server.now().monoMs + ms });
  server.setClock(later(day));
  await register({ ...cleo, invite_code: defaultCode }).expect(403);
  const list = await server.call('get', '/invitations', { cookie: bert }).expect(200);
  expect(list.body.result.invitations.map(({ is_expired }: { is_expired: boolean }) => is_expired)).toEqual([
    false,
    true,
  ]);
  await register({ ...cleo, invite_code: longer }).expect(201);
  for (const wrong of ['2026-05-01T00:00:00Z', '2036-01-01T00:00:00Z', 'tomorrow']) {
    await invite(server.createConfirmedCookie('bert'), {
      for_email: 'emil@example.org',
      expires_date: wrong,
    }).expect(400);
  }
});

test('an invitation created before the clock was set is valid for a day as well', async () => {
  setMode('member-invite-only');
  const set = server.now();
  server.setClock({ synced: false, wallMs: Date.UTC(2026, 0, 1) });
  const expires = '2026-05-05T17:00:00Z';
  const refused = await invite(bert, { for_email: 'cleo@example.org', expires_date: expires }).expect(409);
  expect(refused.body.error.message).toContain('clock is not set');
  const code = await requestInvitation(bert);
  const anHourLater = { ...set, monoMs: set.monoMs + 3_600_000, wallMs: set.wallMs + 3_600_000 };
  server.setClock(anHourLater);
  const { body } = await server.call('get', '/invitations/1', { cookie: bert }).expect(200);
  expect(body.result.invitation).toMatchObject({ invited_date: '2026-05-02T17:00:00Z', is_expired: false });
  // After a reboot without a synchronized clock its age is unknown.
  server.setClock({ synced: false, bootId: 'boot-2', monoMs: 5_000 });
  await register({ ...cleo, invite_code: code }).expect(409);
  server.setClock({ ...anHourLater, monoMs: set.monoMs + day });
  await register({ ...cleo, invite_code: code }).expect(403);
  server.setClock(anHourLater);
  await register({ ...cleo, invite_code: code }).expect(201);
});

test('the registration mode decides who may invite, and users/me shows it', async () => {
  const canInvite = async (cookie: string) =>
    (await server.call('get', '/users/me', { cookie })).body.result.can_invite;
  for (const mode of ['public', 'member-invite-only'] as const) {
    setMode(mode);
    expect([await canInvite(''), await canInvite(bert), await canInvite(anna)]).toEqual([false, true, true]);
  }
  const code = await requestInvitation(bert);
  setMode('staff-invite-only');
  expect([await canInvite(''), await canInvite(bert), await canInvite(anna)]).toEqual([false, false, true]);
  const refused = await invite(bert).expect(403);
  expect(refused.body.error.message).toContain('staff');
  // Bert's invitation was created while members could invite, and is invalid now.
  await register({ ...cleo, invite_code: code }).expect(403);
  await register({ ...cleo, invite_code: await requestInvitation(anna) }).expect(201);
  await server.call('post', '/invitations', { body: { for_email: 'x@example.org' } }).expect(401);
});

test('an invitation by a user deactivated since is invalid', async () => {
  setMode('member-invite-only');
  const code = await requestInvitation(bert);
  await server.call('patch', '/users/bert', { cookie: anna, body: { is_active: false } }).expect(200);
  await register({ ...cleo, invite_code: code }).expect(403);
});

test('invitations can be read and deleted only by their creator, and their number is limited', async () => {
  setMode('member-invite-only');
  const code = await requestInvitation(bert);
  await server.call('get', '/invitations/1', { cookie: anna }).expect(404);
  await server.call('delete', '/invitations/1', { cookie: anna }).expect(404);
  await server.call('delete', '/invitations/1', { cookie: bert }).expect(200);
  await server.call('get', '/invitations/1', { cookie: bert }).expect(404);
  await register({ ...cleo, invite_code: code }).expect(403);
  for (let i = 0; i < 20; i++) await invite(bert, { for_email: `guest${i}@example.org` }).expect(201);
  await invite(bert).expect(409);
  await invite(anna).expect(201);
});

test('an invitation code is stored as a hash and is in no answer', async () => {
  const created = await invite(bert).expect(201);
  const code = parseCode(await server.linkTo('cleo@example.org', 'Invitation'));
  expect(Buffer.from(code, 'base64url')).toHaveLength(32);
  const list = await server.call('get', '/invitations', { cookie: bert });
  const outbox = await server.call('get', '/admin/outbox', { cookie: anna });
  expect(created.text + list.text + outbox.text).not.toContain(code);
  const stored = server.store.users.mailedSecrets.byId(1)!;
  expect(Buffer.from(stored.hash).toString('base64url')).not.toBe(code);
  expect(server.store.notifications.outbox.byId(1)).toMatchObject({ state: 'sent', payload: '{}' });
});

test('an invitation can be returned as a link, shown once and usable once', async () => {
  setMode('member-invite-only');
  const created = await invite(bert, { by_mail: false }).expect(201);
  const { invitation, link } = created.body.result;
  expect(invitation).toMatchObject({ for_email: '', is_expired: false });
  const code = parseCode(new URL(link, 'http://bar.example'));
  expect(await server.newMails()).toEqual([]);
  const list = await server.call('get', '/invitations', { cookie: bert });
  expect(list.text).not.toContain(code);
  await register({ ...cleo, invite_code: code }).expect(201);
  const { body } = await server.call('get', '/invitations', { cookie: bert });
  expect(body.result.invitations).toEqual([]);
});

test('invitations by link work without a mail server, under the same permissions', async () => {
  setMode('staff-invite-only');
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  const created = await invite(anna, { by_mail: false, for_email: 'cleo@example.org' }).expect(201);
  expect(created.body.result.invitation.for_email).toBe('cleo@example.org');
  await invite(bert, { by_mail: false }).expect(403);
  await invite(anna).expect(409);
  const { body } = await invite(anna, { by_mail: false, for_email: 'at home' }).expect(400);
  expect(body.error.fields).toHaveProperty('for_email');
});

test('an account created without a password is activated once by the mailed link', async () => {
  const body = { username: 'cleo', email: 'cleo@example.org' };
  await server.call('post', '/users', { cookie: anna, body }).expect(201);
  const link = await server.linkTo('cleo@example.org', 'Choose your password');
  const key = /^\/account\/activate\/([A-Za-z0-9_-]{43})\/$/.exec(link.pathname)![1]!;
  const activate = (fields: object) => server.call('post', '/account/activate', { body: fields });
  await activate({ activation_key: 'never-was', password: 'hop-garden' }).expect(404);
  await activate({ activation_key: key, password: 'hops' }).expect(400);
  const active = await activate({ activation_key: key, password: 'hop-garden' }).expect(200);
  expect(active.body.result.user.username).toBe('cleo');
  expect(String(active.headers['set-cookie'])).toContain('sessionid=');
  await activate({ activation_key: key, password: 'other-garden' }).expect(404);
  const logIn = { username: 'cleo', password: 'hop-garden' };
  await server.call('post', '/auth/login', { body: logIn }).expect(200);
});

test('activation_sent says whether the activation link was mailed', async () => {
  const isSent = async (body: object, host?: string) => {
    const wanted = { cookie: anna, body, ...omitUndefined({ host }) };
    return (await server.call('post', '/users', wanted).expect(201)).body.result.activation_sent;
  };
  const to = (username: string) => ({ username, email: `${username}@example.org` });
  expect(await isSent(to('cleo'))).toBe(true);
  await server.linkTo('cleo@example.org', 'Choose your password');
  // With an unknown Host header, the site's own address is unknown.
  expect(await isSent(to('dora'), 'evil.example')).toBe(false);
  expect(await isSent({ username: 'emil' })).toBe(false);
  expect(await server.newMails()).toEqual([]);
  expect(await isSent({ ...to('fred'), password: 'hop-garden' })).toBe(false);
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  expect(await isSent(to('gina'))).toBe(false);
});

test('an activation key is invalid after staff set a password, change the address or deactivate the account', async () => {
  const createInactiveUser = async (username: string) => {
    const email = `${username}@example.org`;
    await server.call('post', '/users', { cookie: anna, body: { username, email } }).expect(201);
    const link = await server.linkTo(email, 'Choose your password');
    return link.pathname.split('/')[3]!;
  };
  const activate = (key: string) =>
    server.call('post', '/account/activate', { body: { activation_key: key, password: 'hop-garden' } });
  const set = await createInactiveUser('cleo');
  const password = { password: 'given-by-anna' };
  await server.call('post', '/users/cleo/set-password', { cookie: anna, body: password }).expect(200);
  await activate(set).expect(404);
  const moved = await createInactiveUser('dora');
  await server
    .call('patch', '/users/dora', { cookie: anna, body: { email: 'dora@new.example' } })
    .expect(200);
  await activate(moved).expect(404);
  const off = await createInactiveUser('emil');
  await server.call('patch', '/users/emil', { cookie: anna, body: { is_active: false } }).expect(200);
  await activate(off).expect(403);
});

const sendLink = (username: string, cookie = server.createConfirmedCookie('anna')) =>
  server.call('post', `/users/${username}/send-activation`, { cookie });
const parseKey = (link: URL) => /^\/account\/activate\/([A-Za-z0-9_-]{43})\/$/.exec(link.pathname)![1]!;

test('staff can mail the activation link again, which invalidates the previous one', async () => {
  const body = { username: 'cleo', email: 'cleo@example.org' };
  await server.call('post', '/users', { cookie: anna, body }).expect(201);
  const readKey = () => server.linkTo('cleo@example.org', 'Choose your password').then(parseKey);
  const first = await readKey();
  const tooEarly = await sendLink('cleo').expect(429);
  expect(Number(tooEarly.headers['retry-after'])).toBe(300);
  expect(tooEarly.body.error.reason).toEqual({ name: 'link_sent_recently', seconds: 300 });
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + 300_000, wallMs: wallMs + 300_000 });
  expect((await sendLink('cleo').expect(200)).body.result).toEqual({});
  await sendLink('cleo').expect(429);
  const resent = await readKey();
  const activate = (key: string) =>
    server.call('post', '/account/activate', { body: { activation_key: key, password: 'hop-garden' } });
  await activate(first).expect(404);
  await activate(resent).expect(200);
  const { items } = server.engine.audit.list({ action: 'user.activation_sent' });
  expect(items.map(({ username, subject }) => [username, subject])).toEqual([
    ['anna', { kind: 'user', id: 'cleo' }],
  ]);
  expect(JSON.stringify(items)).not.toMatch(new RegExp(`@|${resent}`));
});

test('an account created before mail was set up gets its first link later, and a new address has no waiting time', async () => {
  const { host } = server.engine.notifications.mail.settings();
  const setMailHost = (to: string) =>
    server.engine.notifications.mail.change({ host: to }, systemActor, server.now());
  setMailHost('');
  await server.call('post', '/users', {
    cookie: anna,
    body: { username: 'dora', email: 'dora@example.org' },
  });
  setMailHost(host);
  await sendLink('dora').expect(200);
  await server.linkTo('dora@example.org', 'Choose your password');
  await server
    .call('patch', '/users/dora', { cookie: anna, body: { email: 'dora@new.example' } })
    .expect(200);
  await sendLink('dora').expect(200);
  await server.linkTo('dora@new.example', 'Choose your password');
});

test('refuses to mail an activation link that cannot be used, with the reason', async () => {
  const add = (body: object) => server.call('post', '/users', { cookie: anna, body }).expect(201);
  await add({ username: 'cleo', email: 'cleo@example.org', password: 'hop-garden' });
  await add({ username: 'dora' });
  await add({ username: 'emil', email: 'emil@example.org' });
  await add({ username: 'fred', email: 'fred@example.org' });
  await server.call('patch', '/users/emil', { cookie: anna, body: { is_active: false } }).expect(200);
  await server.newMails();
  const refusalMessage = async (username: string) =>
    (await sendLink(username).expect(409)).body.error.message;
  expect(await refusalMessage('cleo')).toContain('has a password');
  expect(await refusalMessage('dora')).toContain('no mail address');
  expect(await refusalMessage('emil')).toContain('switched off');
  const otherHost = { cookie: anna, host: 'evil.example' };
  const elsewhere = await server.call('post', '/users/fred/send-activation', otherHost).expect(409);
  expect(elsewhere.body.error.message).toContain('base_url');
  server.engine.notifications.mail.change({ host: '' }, systemActor, server.now());
  expect(await refusalMessage('fred')).toContain('No mail server');
  await sendLink('nobody').expect(404);
  await sendLink('fred', bert).expect(403);
  expect(await server.newMails()).toEqual([]);
  expect(server.engine.audit.list({ action: 'user.activation_sent' }).items).toEqual([]);
});

test('an account created with a password gets a welcome mail, and one without an address gets none', async () => {
  await server.call('post', '/users', { cookie: anna, body: cleo }).expect(201);
  await server.call('post', '/users', { cookie: anna, body: { username: 'dora' } }).expect(201);
  const mails = await server.newMails();
  expect(mails.map((mail) => [mail.to, headersOf(mail).get('subject')])).toEqual([
    [['cleo@example.org'], '[Tapster] Welcome'],
  ]);
});

test('registration is rate-limited, valid or not', async () => {
  const limitedServer = await createServerWithMail({
    settings: { trustProxy: false, rateLimits: true, hosts: [] },
  });
  try {
    limitedServer.engine.users.changeSite({ registrationMode: 'staff-invite-only' });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      const body = { ...cleo, username: `guest${i}` };
      statuses.push((await limitedServer.call('post', '/auth/register', { body })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(403), 429]);
    await limitedServer
      .call('post', '/auth/password-reset', { body: { email: 'bert@example.org' } })
      .expect(429);
  } finally {
    await limitedServer.close();
  }
});
