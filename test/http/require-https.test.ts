import { hostname } from 'node:os';
import request from 'supertest';
import { expect, test } from 'vitest';
import { type HttpsRequirement, isHttpsRequired } from '../../src/core/network/https-requirement.ts';
import { type HttpsAdmin, httpsOff } from '../../src/http/https-ports.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const cleo = { username: 'cleo', password: 'hop-garden' };

/** A request with this header comes from another machine. */
const remote = { 'X-Forwarded-For': '192.168.1.77' };
const secure = { ...remote, 'X-Forwarded-Proto': 'https' };

interface Bar {
  readonly port?: number | null;
  readonly fixed?: HttpsRequirement | null;
  readonly isUsed?: boolean;
  readonly trustProxy?: boolean;
}

/** A bar that serves HTTPS, whose staff have used it; Cleo is staff. */
async function createBar({ port = 8443, fixed = null, isUsed = true, trustProxy = false }: Bar = {}) {
  const https: HttpsAdmin = { ...httpsOff, isEnabled: true, fixedRequirement: fixed, port: () => port };
  const settings = { trustProxy, rateLimits: false, hosts: ['tapster.local'] };
  const server = createTestServer({ services: { https }, settings });
  const password = await server.engine.users.passwords.hash(cleo.password);
  server.engine.users.addUser({ username: 'cleo', password, isStaff: true }, server.now());
  if (isUsed) server.engine.site.httpsUse.markUsed();
  return server;
}

const logIn = ({ app }: TestServer, headers: Readonly<Record<string, string>>) =>
  request(app).post('/api/auth/login').set(headers).send(cleo);

/** The address that the refusal of a log-in names. */
const refusedAddress = async (bar: TestServer, headers: Readonly<Record<string, string>>) =>
  (await logIn(bar, { ...remote, ...headers }).expect(403)).body.error.reason.address;

const requireOf = (bar: TestServer, requirement: HttpsRequirement) =>
  request(bar.app)
    .patch('/api/site')
    .set('Cookie', bar.createConfirmedCookie('anna'))
    .send({ require_https: requirement })
    .expect(200);

test.each([
  { requirement: 'auto', isServed: true, isUsedByStaff: true, required: true },
  { requirement: 'auto', isServed: true, isUsedByStaff: false, required: false },
  { requirement: 'auto', isServed: false, isUsedByStaff: true, required: false },
  { requirement: 'on', isServed: false, isUsedByStaff: false, required: true },
  { requirement: 'off', isServed: true, isUsedByStaff: true, required: false },
] as const)('$requirement, served: $isServed, used by staff: $isUsedByStaff', ({ required, ...facts }) => {
  expect(isHttpsRequired(facts)).toBe(required);
});

test('a log-in in plain HTTP from another machine is refused with the address over HTTPS', async () => {
  const bar = await createBar();
  const reply = await logIn(bar, { ...remote, Host: 'tapster.local:8080' }).expect(403);
  expect(reply.body.error).toMatchObject({
    code: 'PermissionDeniedError',
    reason: { name: 'https_required', address: 'https://tapster.local:8443' },
  });
  expect(reply.headers['set-cookie']).toBeUndefined();
});

test('until staff have used HTTPS, and on this machine, a log-in in plain HTTP is accepted', async () => {
  await logIn(await createBar({ isUsed: false }), remote).expect(200);
  await logIn(await createBar(), {}).expect(200);
});

test('the address is never made of a foreign name', async () => {
  const bar = await createBar();
  const own = `https://${hostname().toLowerCase()}.local:8443`;
  for (const Host of [
    'evil.example',
    'tapster.local.evil.example',
    'evil.example:8080#tapster.local',
    'tapster.local@evil.example',
    '192.168.66.6',
    'xn--tpster-cua.local',
  ])
    expect(await refusedAddress(bar, { Host })).toBe(own);
  expect(await refusedAddress(bar, { Host: 'tapster.local', 'X-Forwarded-Host': 'evil.example' })).toBe(
    'https://tapster.local:8443',
  );
  expect(await refusedAddress(bar, { Host: '127.0.0.1:8080' })).toBe('https://127.0.0.1:8443');
});

test('a forged X-Forwarded-Proto counts only behind a trusted proxy', async () => {
  await logIn(await createBar(), secure).expect(403);
  await logIn(await createBar(), { ...secure, Forwarded: 'proto=https' }).expect(403);
  await logIn(await createBar({ trustProxy: true }), secure).expect(200);
  await logIn(await createBar({ trustProxy: true }), { ...secure, 'X-Forwarded-Proto': 'http' }).expect(403);
});

test('a client cannot claim to be this machine', async () => {
  const bar = await createBar();
  await logIn(bar, { 'X-Forwarded-For': '127.0.0.1' }).expect(403);
  await logIn(bar, { Forwarded: 'for=127.0.0.1' }).expect(403);
});

test('everything that carries a secret is refused before it is checked', async () => {
  const bar = await createBar();
  const tablet = bar.createTabletCookie('Bar');
  const staff = bar.createLoginCookie('anna');
  const member = bar.createLoginCookie('bert');
  const send = (path: string, body: object, Cookie = '') =>
    request(bar.app).post(`/api${path}`).set(remote).set('Cookie', Cookie).send(body);
  const replies = await Promise.all([
    send('/auth/login', { username: 'nobody', password: 'x' }),
    send('/auth/register', { username: 'dora', email: 'd@example.org', password: 'a good long one' }),
    send('/auth/password-reset-confirm', { uid: '1', token: 'x', new_password: 'a good long one' }),
    send('/account/activate', { activation_key: 'x', password: 'a good long one' }),
    send('/auth/confirm-password', { current_password: 'x' }, member),
    send('/account/password', { current_password: 'x', new_password: 'a good long one' }, member),
    send('/account/pin', { current_password: 'x', pin: '2846' }, staff),
    send('/tablet/pin-unlock', { username: 'anna', pin: '2846' }, tablet),
    send('/api-keys', {}, member),
    send('/account/regenerate-api-key', {}, member),
  ]);
  expect(replies.map(({ status, body }) => [status, body.error?.reason?.name])).toEqual(
    replies.map(() => [403, 'https_required']),
  );
});

test('the set-up is refused, with its code unread', async () => {
  const https: HttpsAdmin = { ...httpsOff, isEnabled: true, fixedRequirement: 'on', port: () => 8443 };
  const { app } = createTestServer({ services: { https } });
  for (const step of ['settings', 'admin-user', 'finish']) {
    const body = { code: 'x', username: 'dora', password: 'a good long one' };
    const reply = await request(app).post(`/api/setup/${step}`).set(remote).send(body);
    expect(reply.body.error.reason?.name).toBe('https_required');
  }
});

test('staff change nothing by a cookie or a PIN; they read, and log out', async () => {
  const bar = await createBar();
  const Cookie = bar.createLoginCookie('anna');
  const send = (method: 'get' | 'post' | 'patch', path: string, headers: object = { Cookie }) =>
    request(bar.app)
      [method](`/api${path}`)
      .set({ ...remote, ...headers })
      .send(method === 'get' ? undefined : {});
  expect((await send('patch', '/site')).body.error.reason.name).toBe('https_required');
  const unlocked = bar.createUnlockedTablet('Bar', 'anna');
  const refused = await request(bar.app)
    .post(`/api/taps/${bar.left.id}/end-keg`)
    .set({ ...remote, ...unlocked })
    .send({});
  expect(refused.body.error.reason.name).toBe('https_required');
  await send('get', '/site').expect(200);
  await send('get', '/taps', {}).expect(200);
  await send('post', '/auth/logout').expect(200);
  expect(bar.engine.users.logins.list(bar.engine.users.user('anna')!, bar.now())).toEqual([]);
});

test('members, keys, legacy controllers and boards are never refused', async () => {
  const bar = await createBar({ fixed: 'on' });
  const key = { ...remote, 'X-Kegbot-Api-Key': bar.staffKey };
  await request(bar.app).patch('/api/site').set(key).send({ title: 'Bar' }).expect(200);
  const pour = await request(bar.app)
    .post('/api/v1/taps/pi.flow0')
    .set(key)
    .type('form')
    .send({ ticks: 600 });
  expect(pour.status).toBe(200);
  await request(bar.app).get('/api/v1/taps').set(remote).expect(200);
  const Cookie = bar.createLoginCookie('bert');
  await request(bar.app)
    .patch('/api/users/me')
    .set({ ...remote, Cookie })
    .send({ display_name: 'Bert' })
    .expect(200);
});

test('the setting decides, and the configuration file wins', async () => {
  const bar = await createBar();
  await requireOf(bar, 'off');
  await logIn(bar, remote).expect(200);
  await requireOf(bar, 'on');
  await logIn(bar, remote).expect(403);
  const fixed = await createBar({ fixed: 'off' });
  await requireOf(fixed, 'on');
  await logIn(fixed, remote).expect(200);
});

test('while HTTPS is not served, auto locks nobody out; on does', async () => {
  await logIn(await createBar({ port: null }), remote).expect(200);
  expect(await refusedAddress(await createBar({ port: null, fixed: 'on' }), {})).toBe('unknown');
});
