import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from './test-server.ts';

test('the house is well while counting, storing and serving work', async () => {
  const server = createTestServer();
  server.parts.push({ name: 'sensors', problem: 'The cellar’s thermometer is silent.', vital: false });
  const reply = await request(server.app).get('/healthz').expect(200);
  expect(reply.body).toEqual({
    status: 'ok',
    parts: { counting: 'ok', sensors: 'The cellar’s thermometer is silent.' },
  });
});

test('a full disk is told at once, by name', async () => {
  const server = createTestServer();
  server.parts.push({ name: 'storing', problem: 'The disk is full.', vital: true });
  const reply = await request(server.app).get('/healthz').expect(503);
  expect(reply.body).toEqual({ status: 'trouble', parts: { counting: 'ok', storing: 'The disk is full.' } });
});

test('a page that was not built says how to build it', async () => {
  const reply = await request(createTestServer().app).get('/').expect(503);
  expect(reply.text).toContain('npm run build');
});

test('the built page: its files for ever, its front always fresh', async () => {
  const server = createTestServer();
  mkdirSync(join(server.webDirectory, 'assets'));
  writeFileSync(join(server.webDirectory, 'index.html'), '<!doctype html><title>Bar</title>');
  writeFileSync(join(server.webDirectory, 'assets', 'page-abc123.js'), 'export {};');
  const front = await request(server.app).get('/').expect(200);
  expect(front.headers['cache-control']).toBe('no-cache');
  const script = await request(server.app).get('/assets/page-abc123.js').expect(200);
  expect(script.headers['cache-control']).toContain('immutable');
  expect(script.headers['content-type']).toContain('javascript');
  await request(server.app).get('/assets/').expect(404);
  await request(server.app).get('/assets/gone.js').expect(404);
  await request(server.app)
    .get('/..%2f..%2fetc%2fpasswd')
    .expect((reply) => {
      expect([400, 403, 404]).toContain(reply.status);
    });
});

test.each([
  ['/', './'],
  ['/kiosk', './'],
  ['/kiosk/', '../'],
  ['/kegs/3', '../'],
  ['/drinks/12/', '../../'],
])('the page is at %s too, and finds its files from there', async (path, base) => {
  const server = createTestServer();
  writeFileSync(join(server.webDirectory, 'index.html'), '<!doctype html><head><title>Bar</title></head>');
  const { text, headers } = await request(server.app).get(path).expect(200);
  expect(text).toBe(`<!doctype html><head><base href="${base}"><title>Bar</title></head>`);
  expect(headers['content-type']).toContain('text/html');
  const refused = await request(server.app).post(path).expect(405);
  expect(refused.headers.allow).toBe('GET, HEAD');
});

test.each(['/kegs/3/4', '/drinks/', '/kiosk.html', '//kiosk', '/d/', '/held/..'])(
  'no page is at %s, or a plain one',
  async (path) => {
    const server = createTestServer();
    writeFileSync(join(server.webDirectory, 'index.html'), '<!doctype html><head></head>');
    const { status, text } = await request(server.app).get(path);
    expect([200, 404]).toContain(status);
    expect(text).not.toMatch(/base href="[^"]*[^./"]/);
  },
);

test('the page runs its own code only, and nothing asks for TLS', async () => {
  const { headers } = await request(createTestServer().app).get('/healthz');
  const policy = headers['content-security-policy']!;
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-powered-by']).toBeUndefined();
});

test.each(['/API/drinks', '/api/Drinks', '/api/v2/taps', '/nothing', '/api', '/apix'])(
  'nothing is at %s',
  async (path) => {
    await request(createTestServer().app).get(path).expect(404);
  },
);

test('an address that cannot be read is answered in JSON or plain words, never with our insides', async () => {
  const server = createTestServer();
  for (const path of ['/%', '/api/%', '/api/v1/taps/%', '/%00', '/api/v1/taps?x=%']) {
    const reply = await request(server.app).get(path);
    expect([400, 404]).toContain(reply.status);
    expect(reply.text).not.toMatch(/at .*\.ts|node_modules|\/work|\/home/);
  }
  expect(server.faults).toEqual([]);
});

test('a ledger that breaks is a fault with a number, and the log knows the rest', async () => {
  const server = createTestServer();
  server.store.close();
  for (const path of ['/api/drinks', '/api/v1/taps']) {
    const reply = await request(server.app).get(path).expect(500);
    expect(reply.body.error.code).toBe('ServerError');
    expect(reply.text).not.toMatch(/sqlite|database|SELECT/i);
  }
  expect(server.faults).toHaveLength(2);
});
