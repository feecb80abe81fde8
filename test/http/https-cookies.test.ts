import request, { type Response } from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { toActor } from '../../src/engine/engine.ts';
import { createTestServer, type TestServer } from './test-server.ts';

const cleo = { username: 'cleo', password: 'hop-garden' };
const tls = { 'X-Forwarded-Proto': 'https', Host: 'bar.local' };

let server: TestServer;
beforeEach(async () => {
  server = createTestServer({ settings: { trustProxy: true, rateLimits: false, hosts: [] } });
  const password = await server.engine.users.passwords.hash(cleo.password);
  server.engine.users.addUser({ username: 'cleo', password, isStaff: true }, server.now());
});

const cookiesOf = ({ headers }: Response) => (headers['set-cookie'] ?? []) as unknown as string[];
const logIn = async (headers: Record<string, string> = {}) => {
  const reply = await request(server.app).post('/api/auth/login').set(headers).send(cleo).expect(200);
  const [cookie = ''] = cookiesOf(reply);
  return { cookie, value: cookie.split(';')[0]!.split('=')[1]! };
};
const whoIs = async (Cookie: string, headers: Record<string, string> = {}) =>
  (
    await request(server.app)
      .get('/api/users/me')
      .set({ ...headers, Cookie })
  ).body.result.user?.username ?? null;

test('over HTTPS the login has the prefix that binds it to this host and to HTTPS', async () => {
  const { cookie, value } = await logIn(tls);
  expect(cookie).toMatch(
    /^__Host-sessionid=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie).not.toContain('Domain');
  expect(await whoIs(`__Host-sessionid=${value}`, tls)).toBe('cleo');
});

test('a login over plain HTTP is no login over HTTPS, nor the other way, whatever the name of its cookie', async () => {
  const [plain, secure] = [await logIn(), await logIn(tls)];
  for (const name of ['sessionid', '__Host-sessionid']) {
    expect(await whoIs(`${name}=${plain.value}`, tls)).toBeNull();
    expect(await whoIs(`${name}=${secure.value}`)).toBeNull();
  }
  expect(await whoIs(`sessionid=${secure.value}`, tls)).toBeNull();
  expect(await whoIs(`__Host-sessionid=${plain.value}`)).toBeNull();
});

test('a cookie planted over plain HTTP does not displace the login over HTTPS', async () => {
  const [plain, secure] = [await logIn(), await logIn(tls)];
  expect(await whoIs(`sessionid=${plain.value}; __Host-sessionid=${secure.value}`, tls)).toBe('cleo');
});

test('logging out over HTTPS ends both logins of the browser', async () => {
  const [plain, secure] = [await logIn(), await logIn(tls)];
  const out = await request(server.app)
    .post('/api/auth/logout')
    .set({ ...tls, Cookie: `sessionid=${plain.value}; __Host-sessionid=${secure.value}` })
    .expect(200);
  expect(cookiesOf(out)).toEqual([
    '__Host-sessionid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    'sessionid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
  expect(await whoIs(`sessionid=${plain.value}`)).toBeNull();
  expect(await whoIs(`__Host-sessionid=${secure.value}`, tls)).toBeNull();
});

test('a shared tablet is one over the transport on which it was enrolled', async () => {
  const actor = toActor(server.engine.users.user('cleo')!, 'page');
  const enrol = (isSecure: boolean) =>
    server.engine.users.tablets.enrol('Bar', actor, server.now(), isSecure).token;
  const [plain, secure] = [enrol(false), enrol(true)];
  const tabletOf = async (Cookie: string, headers: Record<string, string> = {}) =>
    (
      await request(server.app)
        .get('/api/users/me')
        .set({ ...headers, Cookie })
    ).body.result.tablet?.name ?? null;
  expect(await tabletOf(`tabletid=${plain}`)).toBe('Bar');
  expect(await tabletOf(`__Host-tabletid=${secure}`, tls)).toBe('Bar');
  expect(await tabletOf(`__Host-tabletid=${plain}`, tls)).toBeNull();
  expect(await tabletOf(`tabletid=${secure}`)).toBeNull();
});

test.each([
  ['http://bar.local', 403],
  ['http://bar.local:8080', 403],
  ['https://bar.local:8443', 403],
  ['https://evil.example', 403],
  ['https://bar.local', 200],
])('over HTTPS a page at %s gets %s', async (Origin, status) => {
  const { value } = await logIn(tls);
  await request(server.app)
    .post('/api/auth/logout')
    .set({ ...tls, Origin, Cookie: `__Host-sessionid=${value}` })
    .expect(status);
});
