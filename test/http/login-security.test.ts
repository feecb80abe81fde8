import { randomBytes } from 'node:crypto';
import request, { type Response } from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../src/engine/shared/audit.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const day = 86_400_000;
const cleo = { username: 'cleo', password: 'hop-garden' };

let server: TestServer;
beforeEach(async () => {
  server = createTestServer();
  const password = await server.engine.users.passwords.hash(cleo.password);
  server.engine.users.addUser({ username: 'cleo', password, isStaff: true }, server.now());
});

const logIn = (body: object, headers: Record<string, string> = {}) =>
  request(server.app).post('/api/auth/login').set(headers).send(body);

const parseCookie = ({ headers }: Response) =>
  // Like a browser: the last cookie of a name wins.
  ((headers['set-cookie'] ?? []) as unknown as string[]).at(-1)?.split('; ')[0] ?? '';

const me = async (cookie: string) =>
  (await request(server.app).get('/api/users/me').set('Cookie', cookie).expect(200)).body.result.user;

test('a log-in issues a new cookie instead of a planted one', async () => {
  const planted = `sessionid=${randomBytes(32).toString('base64url')}`;
  expect(await me(planted)).toBeNull();
  const issued = parseCookie(await logIn(cleo, { Cookie: planted }).expect(200));
  expect(issued).not.toBe(planted);
  expect(await me(issued)).toMatchObject({ username: 'cleo' });
  expect(await me(planted)).toBeNull();
  // Two cookies of that name, as another path or host name can plant them: neither is accepted.
  expect(await me(`${planted}; ${issued}`)).toBeNull();
});

test.each([{ Origin: 'http://evil.example' }, { Origin: 'null' }, { 'Sec-Fetch-Site': 'cross-site' }])(
  'a page of another site cannot log the browser in: %o',
  async (headers) => {
    const reply = await logIn(cleo, headers).expect(403);
    expect(reply.body.error.reason).toEqual({ name: 'cross_site_request' });
    expect(reply.headers['set-cookie']).toBeUndefined();
  },
);

test('a log-in ends another user’s login in the same browser', async () => {
  const berts = server.createLoginCookie('bert');
  const hers = parseCookie(await logIn(cleo, { Cookie: berts }).expect(200));
  expect(await me(hers)).toMatchObject({ username: 'cleo' });
  expect(await me(berts)).toBeNull();
});

test.each([
  [
    'logs out',
    async (cookie: string) =>
      void (await request(server.app).post('/api/auth/logout').set('Cookie', cookie).expect(200)),
  ],
  [
    'is switched off',
    async () =>
      void server.engine.users.accounts.change('cleo', { isActive: false }, systemActor, server.now()),
  ],
  [
    'is switched off and on again',
    async () => {
      server.engine.users.accounts.change('cleo', { isActive: false }, systemActor, server.now());
      server.engine.users.accounts.change('cleo', { isActive: true }, systemActor, server.now());
    },
  ],
  [
    'is given another password',
    async () => {
      const password = await server.engine.users.passwords.hash('malt-garden');
      server.engine.users.accounts.setPassword('cleo', password, { actor: systemActor, now: server.now() });
    },
  ],
  [
    'stays away for a fortnight',
    async () => {
      const { monoMs, wallMs } = server.now();
      server.setClock({ monoMs: monoMs + 14 * day, wallMs: wallMs + 14 * day });
    },
  ],
])('a copied cookie is invalid once its owner %s', async (_what, end) => {
  const stolen = parseCookie(await logIn(cleo).expect(200));
  expect(await me(stolen)).toMatchObject({ username: 'cleo' });
  await end(stolen);
  expect(await me(stolen)).toBeNull();
  const reply = await request(server.app).get('/api/users').set('Cookie', stolen);
  expect(reply.status).toBe(401);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
  'a form of another site sent as %s is rejected, also without Sec-Fetch-Site',
  async (type) => {
    const cookie = parseCookie(await logIn(cleo).expect(200));
    const body =
      { 'text/plain': '{"username":"mallory","is_staff":true}' }[type] ?? 'username=mallory&is_staff=true';
    const headers = { Cookie: cookie, 'Content-Type': type, 'Sec-Fetch-Site': 'cross-site' };
    const reply = await request(server.app).post('/api/users').set(headers).send(body);
    expect(reply.status).toBe(403);
    const older = await request(server.app)
      .post('/api/users')
      .set({ Cookie: cookie, 'Content-Type': type })
      .send(body);
    expect([400, 403, 415]).toContain(older.status);
    expect(server.engine.users.user('mallory')).toBeNull();
  },
);

test('answers do not reveal which tokens, keys or names exist', async () => {
  server.engine.access.tokens.create(
    { device: 'core.rfid', value: 'c0ffee', username: 'cleo' },
    server.now(),
  );
  const guestHeaders = { 'X-Kegbot-Api-Key': server.guestKey };
  const callers = [
    {},
    guestHeaders,
    { 'X-Kegbot-Api-Key': `${server.staffKey.slice(0, -1)}_` },
    { Cookie: server.createLoginCookie('bert') },
  ];
  for (const headers of callers) {
    const answers = await Promise.all(
      ['c0ffee', 'c0ffef'].map((value) =>
        request(server.app).get(`/api/v1/auth-tokens/core.rfid/${value}`).set(headers),
      ),
    );
    expect(answers[0]!.status).toBeGreaterThanOrEqual(401);
    expect(answers[0]!.status).toBe(answers[1]!.status);
    expect(answers[0]!.text).toBe(answers[1]!.text);
  }
  const names = await Promise.all(
    ['cleo', 'nobody'].map((username) => logIn({ username, password: 'wrong' })),
  );
  expect(names[0]!.status).toBe(400);
  expect(names[0]!.body).toEqual(names[1]!.body);
});

test('checking a password takes as long for an unknown name as for a known one', async () => {
  const spent = { cleo: [] as number[], nobody: [] as number[] };
  for (let round = 0; round < 9; round++) {
    for (const username of ['cleo', 'nobody'] as const) {
      const before = performance.now();
      await server.engine.users.passwords.check(username, `wrong ${round}`);
      spent[username].push(performance.now() - before);
    }
  }
  // The minimum of nine runs, since other load only adds time.
  const least = (list: readonly number[]) => Math.min(...list);
  expect(least(spent.nobody)).toBeGreaterThan(least(spent.cleo) * 0.5);
  expect(least(spent.nobody)).toBeLessThan(least(spent.cleo) * 2);
});
