import request, { type Response } from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { listen, watch } from './live/streams.ts';
import { createTestServer, type TestServer } from './test-server.ts';

let server: TestServer;

beforeEach(async () => {
  server = createTestServer();
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.addUser({ username: 'cleo', password, email: 'cleo@example.org' }, server.now());
});

const logIn = (body: object, headers: Record<string, string> = {}) =>
  request(server.app).post('/api/auth/login').set(headers).send(body);

const cleo = { username: 'cleo', password: 'hop-garden' };

/** Returns the cookie that an answer sets, and its attributes. */
function parseCookie({ headers }: Response) {
  const [text = ''] = (headers['set-cookie'] ?? []) as unknown as string[];
  const [pair = '', ...attributes] = text.split('; ');
  return { pair, attributes };
}

const me = async (cookie: string) =>
  (await request(server.app).get('/api/users/me').set('Cookie', cookie).expect(200)).body.result.user;

test('a login is valid from log-in to log-out', async () => {
  const reply = await logIn(cleo).expect(200);
  expect(reply.body.result.user).toMatchObject({ username: 'cleo', email: 'cleo@example.org' });
  const { pair, attributes } = parseCookie(reply);
  expect(pair).toMatch(/^sessionid=[\w-]{43}$/);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=1209600', 'Path=/', 'SameSite=Lax']);
  expect(await me(pair)).toMatchObject({ username: 'cleo' });
  expect(await me(`theme=dark; ${pair}; other=1`)).toMatchObject({ username: 'cleo' });

  const out = await request(server.app).post('/api/auth/logout').set('Cookie', pair).expect(200);
  expect(out.body).toEqual({ result: {} });
  expect(parseCookie(out)).toMatchObject({
    pair: 'sessionid=',
    attributes: expect.arrayContaining(['Max-Age=0']),
  });
  expect(await me(pair)).toBeNull();
});

test.each([
  { username: 'cleo', password: 'malt-garden' },
  { username: 'nobody', password: 'hop-garden' },
  { username: 'bert', password: '' },
  { username: 'cle0', password: 'hop-garden' },
])('rejects %o without saying which of the two is wrong', async (wrong) => {
  const reply = await logIn(wrong).expect(400);
  expect(reply.body.error).toEqual({
    code: 'BadRequestError',
    message: 'This name and this password do not belong together.',
    reason: { name: 'wrong_login' },
  });
  expect(reply.headers['set-cookie']).toBeUndefined();
});

test('removes the cookie of an expired login', async () => {
  const stale = `sessionid=${'x'.repeat(43)}`;
  const open = await request(server.app).get('/api/taps').set('Cookie', stale).expect(200);
  expect(parseCookie(open).pair).toBe('sessionid=');
  const closed = await request(server.app).get('/api/users').set('Cookie', stale).expect(401);
  expect(closed.body.error.code).toBe('NoAuthTokenError');
  expect(parseCookie(closed).pair).toBe('sessionid=');
  // A cookie of another format belongs to another program on this host.
  const other = await request(server.app).get('/api/taps').set('Cookie', 'sessionid=abc').expect(200);
  expect(other.headers['set-cookie']).toBeUndefined();
});

test('renews the cookie after an hour', async () => {
  const cookie = server.createLoginCookie('anna');
  const get = () => request(server.app).get('/api/taps').set('Cookie', cookie).expect(200);
  expect((await get()).headers['set-cookie']).toBeUndefined();
  const { monoMs, wallMs } = server.now();
  server.setClock({ monoMs: monoMs + 4_000_000, wallMs: wallMs + 4_000_000 });
  expect(parseCookie(await get())).toMatchObject({ pair: cookie });
});

test('a key takes precedence over a login, even a wrong one', async () => {
  const staff = (headers: Record<string, string>) => request(server.app).get('/api/audit').set(headers);
  const cookie = { Cookie: server.createLoginCookie('anna') };
  await staff(cookie).expect(200);
  await staff({ ...cookie, 'X-Kegbot-Api-Key': '' }).expect(200);
  await staff({ ...cookie, 'X-Kegbot-Api-Key': 'wrong' }).expect(401);
  await staff({ ...cookie, 'X-Kegbot-Api-Key': server.guestKey }).expect(403);
  await staff({ Cookie: server.createLoginCookie('bert') }).expect(403);
});

test('rejects a login on requests from a page of another site', async () => {
  const addTap = (headers: Record<string, string>) =>
    request(server.app)
      .post('/api/taps')
      .send({ name: 'Cellar' })
      .set({ Cookie: server.createConfirmedCookie('anna'), Host: 'bar.local:8080', ...headers });
  for (const headers of [
    { Origin: 'http://evil.example' },
    { Origin: 'http://bar.local:9000' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]) {
    expect((await addTap(headers).expect(403)).body.error.code).toBe('PermissionDeniedError');
  }
  expect(server.engine.taps.list()).toHaveLength(3);
  await addTap({ Origin: 'http://bar.local:8080', 'Sec-Fetch-Site': 'same-origin' }).expect(201);
  await addTap({}).expect(201);
});

test('the cookie is Secure behind a proxy with TLS', async () => {
  server = createTestServer({ settings: { trustProxy: true, rateLimits: false, hosts: [] } });
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.addUser({ username: 'cleo', password }, server.now());
  const secure = await logIn(cleo, { 'X-Forwarded-Proto': 'https' }).expect(200);
  expect(parseCookie(secure).attributes).toContain('Secure');
  expect(parseCookie(await logIn(cleo)).attributes).not.toContain('Secure');
});

test('behind a trusted proxy the own origin is X-Forwarded-Host', async () => {
  const proxyHeaders = {
    Host: '127.0.0.1:8080',
    'X-Forwarded-Host': 'bar.example',
    'X-Forwarded-Proto': 'https',
  };
  const logOut = (trustProxy: boolean, origin: string) => {
    server = createTestServer({ settings: { trustProxy, rateLimits: false, hosts: [] } });
    const cookie = server.createLoginCookie('anna', trustProxy);
    return request(server.app)
      .post('/api/auth/logout')
      .set({ ...proxyHeaders, Origin: origin, Cookie: cookie });
  };
  await logOut(true, 'https://bar.example').expect(200);
  await logOut(true, 'https://evil.example').expect(403);
  // The headers of an untrusted proxy are ignored.
  await logOut(false, 'https://bar.example').expect(403);
});

test('the legacy API accepts a login on viewer routes only', async () => {
  server.engine.users.changeSite({ privacy: 'members' });
  const cookie = server.createLoginCookie('anna');
  await request(server.app).get('/api/v1/taps').expect(401);
  await request(server.app).get('/api/v1/taps').set('Cookie', cookie).expect(200);
  await request(server.app).get('/api/v1/status').set('Cookie', cookie).expect(401);
  await request(server.app)
    .post('/api/v1/taps/pi.flow0')
    .set('Cookie', cookie)
    .send({ ticks: 1 })
    .expect(401);
});

test('logging in again ends the previous login of the browser', async () => {
  const first = parseCookie(await logIn(cleo)).pair;
  const second = parseCookie(await logIn(cleo, { Cookie: first })).pair;
  expect(await me(first)).toBeNull();
  expect(await me(second)).toMatchObject({ username: 'cleo' });
});

test('rejects log-ins after ten wrong passwords from one address, but not keys', async () => {
  server = createTestServer({ settings: { trustProxy: false, rateLimits: true, hosts: [] } });
  const password = await server.engine.users.passwords.hash('hop-garden');
  server.engine.users.addUser({ username: 'cleo', password }, server.now());
  for (let i = 0; i < 12; i++) await logIn(cleo).expect(200);
  for (let i = 0; i < 10; i++) await logIn({ username: `guess${i}`, password: 'x' }).expect(400);
  const refused = await logIn(cleo).expect(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
  const pour = request(server.app).post('/api/v1/taps/pi.flow0').set('X-Kegbot-Api-Key', server.staffKey);
  await pour.send({ ticks: 1 }).expect(200);
});

test('a log-out ends the live streams of the login', async () => {
  const { url, close } = await listen(server.app);
  server.engine.users.changeSite({ privacy: 'members' });
  const cookie = server.createLoginCookie('bert');
  const bert = await watch(`${url}/api/live`, { Cookie: cookie });
  const anna = await watch(`${url}/api/live?api_key=${server.staffKey}`);
  for (const stream of [bert, anna]) expect(await stream.next()).toMatchObject({ event: 'snapshot' });
  await request(server.app).post('/api/auth/logout').set('Cookie', cookie).expect(200);
  server.scheduler.advance(0);
  expect(await bert.next()).toBeNull();
  expect(await anna.next()).toMatchObject({ event: 'snapshot' });
  await close(0);
});

test('a password beyond those that wait for an account is refused unchecked and not counted', async () => {
  server = createTestServer({ settings: { trustProxy: false, rateLimits: true, hosts: [] } });
  const guess = { username: 'nobody', password: 'wrong-one' };
  for (let i = 0; i < 5; i++) await logIn(guess).expect(400);
  // Three wait for their delay and turn.
  const replies = Array.from({ length: 4 }, () => logIn(guess).then((reply) => reply));
  const refused = await Promise.race(replies);
  expect(refused.status).toBe(429);
  expect(refused.body.error.reason).toEqual({ name: 'passwords_waiting', seconds: 2 });
  expect(refused.headers['retry-after']).toBe('2');
  const waiting = new Set(replies);
  for (const reply of replies) void reply.then(() => waiting.delete(reply));
  while (waiting.size > 0) {
    server.scheduler.advance(4_000);
    await Promise.race(waiting);
  }
  expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([400, 400, 400, 429]);
  // Eight of the ten wrong passwords of the address are used up.
  expect((await logIn({ ...guess, username: 'somebody' })).headers.ratelimit).toContain('r=1;');
});
