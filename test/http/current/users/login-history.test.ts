import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor, toActor } from '../../../../src/engine/engine.ts';
import { hashPassword } from '../../../../src/engine/users/secrets.ts';
import { createTestServer, type TestServer } from '../../test-server.ts';

const hashed = await hashPassword('hop-garden', 4);
const pin = await hashPassword('7391', 4);
let server: TestServer;
let root: string;
let lines: { readonly details: Record<string, unknown>; readonly message: string }[];

beforeEach(() => {
  lines = [];
  const log = {
    info: (details: object, message: string) => void lines.push({ details: { ...details }, message }),
    warn: (details: object, message: string) => void lines.push({ details: { ...details }, message }),
    error() {},
  };
  server = createTestServer({
    settings: { trustProxy: true, rateLimits: true, hosts: [] },
    services: { log },
  });
  const { users } = server.engine;
  const { accounts, pins } = server.engine.users;
  users.addUser({ username: 'root', isSuperuser: true }, server.now());
  for (const name of ['anna', 'bert'])
    accounts.setPassword(name, hashed, { actor: systemActor, now: server.now() });
  pins.set(users.user('anna')!, pin, systemActor, server.now());
  root = server.createLoginCookie('root');
});

const address = '192.168.1.66';
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  request(server.app)
    .post(`/api${path}`)
    .set({ 'X-Forwarded-For': address, ...headers })
    .send(body);
const logIn = (username: string, password: string) => post('/auth/login', { username, password });
const get = (path: string, cookie: string) => request(server.app).get(`/api${path}`).set('Cookie', cookie);
const flush = () => server.engine.users.loginLog.flush(server.now(), { all: true });

const listAll = async () => {
  flush();
  const { body } = await get('/audit?is_login=true', root).expect(200);
  return body.result.entries.map(
    (entry: { action: string; user_id: string; subject_id: string; after: { method: string } }) =>
      [entry.action, entry.user_id, entry.subject_id, entry.after.method].join(' '),
  );
};

const enrolTablet = (): string => {
  const { token } = server.engine.users.tablets.enrol(
    'Bar',
    toActor(server.engine.users.user('root')!, 'page'),
    server.now(),
  );
  return `tabletid=${token}`;
};

test.each<[what: string, expected: string, act: () => PromiseLike<unknown>]>([
  ['a login', 'login.succeeded anna 192.168.1.66 password', () => logIn('ANNA', 'hop-garden').expect(200)],
  ['a wrong password', 'login.failed anna 192.168.1.66 password', () => logIn('anna', 'x').expect(400)],
  ['an unknown name', 'login.failed  192.168.1.66 password', () => logIn('hop-garden', 'x').expect(400)],
  [
    'a wrong password of a confirmation',
    'login.failed anna 192.168.1.66 password',
    () =>
      post(
        '/auth/confirm-password',
        { current_password: 'x' },
        { Cookie: server.createLoginCookie('anna') },
      ).expect(400),
  ],
  [
    'a wrong key',
    'login.failed  192.168.1.66 key',
    () => post('/kegs', {}, { 'X-Kegbot-Api-Key': 'f'.repeat(32) }).expect(401),
  ],
  [
    'a wrong key at the legacy API',
    'login.failed  192.168.1.66 key',
    () => post('/v1/taps/1', {}, { 'X-Kegbot-Api-Key': 'f'.repeat(32) }).expect(401),
  ],
  [
    'a used link',
    'login.failed  192.168.1.66 link',
    () =>
      post('/auth/password-reset-confirm', {
        uid: '1',
        token: 'x'.repeat(43),
        new_password: 'malt-garden',
      }).expect(400),
  ],
  [
    'an activation by an unknown key',
    'login.failed  192.168.1.66 link',
    () => post('/account/activate', { activation_key: 'x', password: 'malt-garden' }).expect(404),
  ],
  [
    'a PIN',
    'login.succeeded anna 192.168.1.66 pin',
    () =>
      post('/tablet/pin-unlock', { username: 'anna', pin: '7391' }, { Cookie: enrolTablet() }).expect(201),
  ],
  [
    'a wrong PIN',
    'login.failed anna 192.168.1.66 pin',
    () =>
      post('/tablet/pin-unlock', { username: 'anna', pin: '7392' }, { Cookie: enrolTablet() }).expect(400),
  ],
])('%s is in the audit log and the log: %s', async (_what, expected, act) => {
  await act();
  expect(await listAll()).toEqual([expected]);
  const [action, user] = expected.split(' ');
  const written = lines.filter(({ message }) => message.startsWith('login'));
  expect(written).toHaveLength(1);
  expect(written[0]!.message).toBe(action === 'login.failed' ? 'login failed' : 'login');
  expect(written[0]!.details).toMatchObject({ address, user: user === '' ? null : user });
});

test.each<[what: string, times: number, act: () => PromiseLike<unknown>, method: string]>([
  ['passwords', 12, () => logIn('nobody', 'x'), 'password'],
  ['keys', 33, () => post('/kegs', {}, { 'X-Kegbot-Api-Key': 'f'.repeat(32) }), 'key'],
  ['links', 12, () => post('/account/activate', { activation_key: 'x', password: 'malt-garden' }), 'link'],
])('refusals after too many wrong %s are in the audit log', async (_what, times, act, method) => {
  for (let i = 0; i < times; i++) {
    const done = act();
    server.scheduler.advance(10_000);
    let isDone = false;
    void Promise.resolve(done).then(() => (isDone = true));
    while (!isDone) {
      server.scheduler.advance(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const found = await listAll();
  expect(found).toContain(`login.locked  ${address} ${method}`);
  expect(found.length).toBeLessThanOrEqual(3);
});

test('neither audit log nor log contain what was typed', async () => {
  await logIn('my-secret-password', 'another-secret').expect(400);
  await logIn('anna', 'a-typed-secret').expect(400);
  await post('/kegs', {}, { 'X-Kegbot-Api-Key': 'a-secret-key' }).expect(401);
  flush();
  const { body } = await get('/audit', root).expect(200);
  expect(JSON.stringify([body, lines])).not.toMatch(/secret/);
});

test('superusers see all logins, staff and members their own only', async () => {
  await logIn('anna', 'hop-garden').expect(200);
  await logIn('bert', 'x').expect(400);
  const [anna, bert] = [server.createLoginCookie('anna'), server.createLoginCookie('bert')];
  expect(await listAll()).toHaveLength(2);
  await get('/audit?is_login=true', anna).expect(403);
  for (const query of [
    '',
    '?user=bert',
    '?action=login.failed',
    `?subject_kind=login&subject_id=${address}`,
  ]) {
    const { body } = await get(`/audit${query}`, anna).expect(200);
    expect(JSON.stringify(body)).not.toContain(address);
  }
  const own = async (cookie: string) =>
    (await get('/account/login-history', cookie).expect(200)).body.result.attempts;
  expect(await own(anna)).toMatchObject([{ outcome: 'succeeded', method: 'password', address, count: 1 }]);
  expect(await own(bert)).toMatchObject([{ outcome: 'failed', method: 'password', address, count: 1 }]);
  const { body } = await get('/audit?is_login=false', root).expect(200);
  expect(JSON.stringify(body)).not.toContain('"login.');
});

test('an erased user leaves no login', async () => {
  await logIn('bert', 'hop-garden').expect(200);
  await logIn('bert', 'x').expect(400);
  server.engine.users.personalData.erase('bert', systemActor, server.now());
  expect(await listAll()).toEqual([]);
});
