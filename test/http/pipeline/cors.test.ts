import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../test-server.ts';

const listed = 'https://dashboard.example';
const strangers = [
  'https://evil.example',
  'http://dashboard.example',
  `${listed}:8443`,
  `${listed}.evil.example`,
  'null',
];

const createServer = (corsOrigins: readonly string[] = [listed, 'http://192.168.1.20:3000']) =>
  createTestServer({ settings: { trustProxy: false, rateLimits: false, hosts: [], corsOrigins } });

const preflight = ({ app }: TestServer, path: string, method: string, origin = listed) =>
  request(app).options(path).set({
    Origin: origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,if-match',
  });

const corsHeaders = (headers: Record<string, string>) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test('the answer to a preflight request names the methods of the address and the headers, without a key', async () => {
  const server = createServer();
  const { headers } = await preflight(server, '/api/kegs/1', 'PATCH').expect(200);
  expect(headers).toMatchObject({
    'access-control-allow-origin': listed,
    'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Kegbot-Api-Key',
    'access-control-max-age': '7200',
    vary: 'Origin',
  });
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test('scripts of a listed origin may read answers and errors, with their headers', async () => {
  const server = createServer();
  for (const [path, status] of [
    ['/api/kegs/1', 200],
    ['/api/kegs/999', 404],
    ['/api/nothing', 404],
    ['/api/site', 401],
    ['/api/schema', 200],
  ] as const) {
    const { headers } = await request(server.app).get(path).set('Origin', listed).expect(status);
    expect(headers['access-control-allow-origin']).toBe(listed);
    expect(headers['access-control-expose-headers']).toContain('ETag');
    expect(headers.vary).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  }
});

test('other origins and the legacy API get no such headers, and caches tell origins apart', async () => {
  const server = createServer();
  for (const origin of strangers) {
    const { headers } = await preflight(server, '/api/kegs/1', 'PATCH', origin).expect(200);
    expect(corsHeaders(headers)).toEqual([]);
    expect(headers.vary).toBe('Origin');
  }
  const plain = await request(server.app).get('/api/kegs/1').expect(200);
  expect(plain.headers.vary).toBe('Origin, Accept-Encoding');
  expect(corsHeaders(plain.headers)).toEqual([]);
  expect(corsHeaders((await preflight(server, '/api/v1/taps', 'GET')).headers)).toEqual([]);
});

test('without listed origins nothing is allowed', async () => {
  const server = createServer([]);
  const { headers } = await preflight(server, '/api/kegs/1', 'PATCH').expect(200);
  expect(corsHeaders(headers)).toEqual([]);
  expect(headers).not.toHaveProperty('vary');
});

test('a listed origin may write with a key, and never with a login', async () => {
  const server = createServer();
  const patch = (headers: Record<string, string>) =>
    request(server.app).patch('/api/site').set('Origin', listed).set(headers).send({ title: 'Bar' });
  await patch({ 'X-Kegbot-Api-Key': server.staffKey }).expect(200);
  await patch({ Authorization: `Bearer ${server.staffKey}` }).expect(200);
  const byCookie = await patch({ Cookie: server.createLoginCookie('anna') }).expect(403);
  expect(byCookie.body.error.reason.name).toBe('cross_site_request');
  await patch(server.createUnlockedTablet('bar', 'anna')).expect(403);
  await request(server.app)
    .post('/api/auth/login')
    .set('Origin', listed)
    .send({ username: 'anna', password: 'whatever it is' })
    .expect(403);
});

test('preflight requests are counted per address', async () => {
  const server = createTestServer({
    settings: { trustProxy: false, rateLimits: true, hosts: [], corsOrigins: [listed] },
  });
  const { headers } = await preflight(server, '/api/kegs/1', 'PATCH').expect(200);
  expect(headers.ratelimit).toContain('"reads"');
});
