import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { expect, test, vi } from 'vitest';
import { textProblem } from '../../src/core/health/problems.ts';
import { productVersion } from '../../src/system/product.ts';
import { createTestServer } from './test-server.ts';

test('/healthz answers 200 while all vital parts work', async () => {
  const server = createTestServer();
  server.parts.push({
    name: 'sensors',
    problems: [textProblem('The annex’s thermometer is silent.')],
    vital: false,
  });
  const reply = await request(server.app).get('/healthz').expect(200);
  expect(reply.body).toEqual({
    status: 'ok',
    parts: { counting: 'ok', sensors: 'The annex’s thermometer is silent.' },
    version: productVersion(),
    pours: 0,
  });
});

test('/healthz answers 503 and names the failed part', async () => {
  const server = createTestServer();
  server.parts.push({ name: 'storing', problems: [textProblem('The disk is full.')], vital: true });
  const reply = await request(server.app).get('/healthz').expect(503);
  expect(reply.body).toMatchObject({
    status: 'trouble',
    parts: { counting: 'ok', storing: 'The disk is full.' },
  });
});

test('answers with build instructions when the page is not built', async () => {
  const reply = await request(createTestServer().app).get('/').expect(503);
  expect(reply.text).toContain('npm run build');
});

test('caches the page’s assets for ever and never its document', async () => {
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
  ['/export', './'],
  ['/export/', '../'],
  ['/kegs/3', '../'],
  ['/drinks/12/', '../../'],
  ['/drinkers/Zo%C3%AB', '../'],
  ['/users/Zo%C3%AB', '../'],
  ['/cards', './'],
  ['/sessions/2026/5/2/1/', '../../../../../'],
])('serves the page at %s with a matching base', async (path, base) => {
  const server = createTestServer();
  writeFileSync(join(server.webDirectory, 'index.html'), '<!doctype html><head><title>Bar</title></head>');
  const { text, headers } = await request(server.app).get(path).expect(200);
  expect(text).toBe(`<!doctype html><head><base href="${base}"><title>Bar</title></head>`);
  expect(headers['content-type']).toContain('text/html');
  const refused = await request(server.app).post(path).expect(405);
  expect(refused.headers.allow).toBe('GET, HEAD');
});

test('an address that does not exist answers browsers with the page and other clients with a sentence, both as 404', async () => {
  const server = createTestServer();
  writeFileSync(join(server.webDirectory, 'index.html'), '<html lang="en"><head></head></html>');
  server.engine.users.changeSite({ locale: 'fr' });
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const read = (path: string, type: string) => request(server.app).get(path).set('Accept', type).expect(404);
  const page = await read('/keg/3', accept);
  expect(page.text).toBe('<html lang="fr"><head><base href="../"></head></html>');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers.vary).toContain('Accept');
  for (const type of ['*/*', 'application/json', 'image/png']) {
    const { text, headers } = await read('/keg/3', type);
    expect(headers['content-type']).toContain('text/plain');
    expect(text).toContain('This address does not exist.');
  }
  // Each depth would keep another copy of the document.
  expect((await read('/a'.repeat(9), accept)).headers['content-type']).toContain('text/plain');
  expect((await read('/api/keg/3', accept)).headers['content-type']).toContain('json');
  const posted = await request(server.app).post('/keg/3').set('Accept', accept).expect(404);
  expect(posted.headers['content-type']).toContain('text/plain');
});

test('the page names the language of the site, or English where it has no texts in it', async () => {
  const server = createTestServer();
  writeFileSync(join(server.webDirectory, 'index.html'), '<html lang="en"><head></head></html>');
  const readLanguage = async () => {
    const { text, headers } = await request(server.app).get('/menu').expect(200);
    return [/lang="([^"]*)"/.exec(text)?.[1], headers.etag] as const;
  };
  const [english, englishTag] = await readLanguage();
  server.engine.users.changeSite({ locale: 'de-CH' });
  const [german, germanTag] = await readLanguage();
  server.engine.users.changeSite({ locale: 'ja-JP' });
  expect([english, german, (await readLanguage())[0]]).toEqual(['en', 'de', 'en']);
  expect(germanTag).not.toBe(englishTag);
});

test.each(['/kegs/3/4', '/drinks/', '/export.html', '//export', '/d/', '/held/..'])(
  'serves no page with a wrong base at %s',
  async (path) => {
    const server = createTestServer();
    writeFileSync(join(server.webDirectory, 'index.html'), '<!doctype html><head></head>');
    const { status, text } = await request(server.app).get(path);
    expect([200, 404]).toContain(status);
    expect(text).not.toMatch(/base href="[^"]*[^./"]/);
  },
);

test('the security headers allow only own code and do not require TLS', async () => {
  const { headers } = await request(createTestServer().app).get('/healthz');
  const policy = headers['content-security-policy']!;
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('upgrade-insecure-requests');
  expect(headers['strict-transport-security']).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-powered-by']).toBeUndefined();
});

test.each(['/API/drinks', '/api/Drinks', '/api/v2/taps', '/nothing', '/apix'])(
  '%s is not found',
  async (path) => {
    await request(createTestServer().app).get(path).expect(404);
  },
);

test('a malformed address gets an error without internal details', async () => {
  const server = createTestServer();
  for (const path of ['/%', '/api/%', '/api/v1/taps/%', '/%00', '/api/v1/taps?x=%']) {
    const reply = await request(server.app).get(path);
    expect([400, 404]).toContain(reply.status);
    expect(reply.text).not.toMatch(/at .*\.ts|node_modules|\/work|\/home/);
  }
  expect(server.faults).toEqual([]);
});

test('a database error gets an id in the answer and its details in the log', async () => {
  const server = createTestServer();
  vi.spyOn(server.engine.lists, 'drinks').mockImplementation(() => {
    throw new TypeError('SELECT of the SQLite database');
  });
  const reply = await request(server.app).get('/api/drinks').expect(500);
  expect(reply.body.error.code).toBe('ServerError');
  expect(reply.text).not.toMatch(/sqlite|database|SELECT/i);
  expect(server.faults).toHaveLength(1);
});

test('a database that was closed meanwhile, as by a stop or a restore, is unavailable and no fault', async () => {
  const server = createTestServer();
  server.store.close();
  for (const path of ['/api/drinks', '/api/v1/taps']) {
    const { body, headers } = await request(server.app).get(path).expect(503);
    expect(body.error.code).toBe('ServerError');
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(server.faults).toEqual([]);
});
