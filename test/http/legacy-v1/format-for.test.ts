import vm from 'node:vm';
import request from 'supertest';
import { expect, test } from 'vitest';
import { jsonpFormat } from '../../../src/http/legacy-v1/format-for.ts';
import { createTestServer, type TestServer } from '../test-server.ts';

const get = (server: TestServer, path: string) => request(server.app).get(path).buffer(true).parse(readText);

/** Reads the reply as text, whatever its media type. */
function readText(reply: request.Response, done: (fault: Error | null, text: string) => void): void {
  let text = '';
  reply.setEncoding('utf8');
  reply.on('data', (chunk) => {
    text += chunk;
  });
  reply.on('end', () => done(null, text));
}

/** Runs the script as a page would, and returns the argument of its callback. */
function run(script: string, name = 'show'): { object?: unknown; objects?: unknown; error?: unknown } {
  const values: unknown[] = [];
  vm.runInNewContext(script, { [name]: (value: unknown) => values.push(value) });
  expect(values).toHaveLength(1);
  return values[0] as object;
}

test('wraps the reply in the kegbot format in a call of the callback', async () => {
  const server = createTestServer();
  const { body, headers, status } = await get(server, '/api/v1/taps?callback=show');
  expect(status).toBe(200);
  expect(body).toMatch(/^show\(\{.*\}\);$/);
  expect(run(body)).toMatchObject({ objects: [{ name: 'Attic' }, { name: 'Left' }, { name: 'Right' }] });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers.deprecation).toBe('true');
  expect(headers['cache-control']).toBe('no-store');
});

test('wraps errors as well, with their status', async () => {
  const server = createTestServer();
  for (const [path, status, code] of [
    ['/api/v1/taps/99', 404, 'NotFoundError'],
    ['/api/v1/nothing', 404, 'NotFoundError'],
    ['/api/v1/drinks', 410, 'GoneError'],
    ['/api/v1/status', 401, 'NoAuthTokenError'],
  ] as const) {
    const reply = await get(server, `${path}?callback=show`);
    expect(reply.status).toBe(status);
    expect(run(reply.body)).toMatchObject({ error: { code } });
  }
});

test('accepts a key in the query', async () => {
  const server = createTestServer();
  server.engine.users.changeSite({ privacy: 'staff' });
  const reply = await get(server, `/api/v1/taps/1?api_key=${server.staffKey}&callback=show`);
  expect(run(reply.body)).toMatchObject({ object: { name: 'Left' } });
});

test.each(['$', '_a', 'a.b.c', 'lists[0]', 'a[1][22].b', 'jQuery110_17', 'größe', 'thisOne', 'a.newest'])(
  'accepts the callback name %s',
  async (name) => {
    const reply = await get(createTestServer(), `/api/v1/taps?callback=${encodeURIComponent(name)}`);
    expect(reply.body.startsWith(`${name}({`)).toBe(true);
  },
);

test.each([
  '',
  '1a',
  'a b',
  'a-b',
  'a()',
  'a;b',
  'a[b]',
  'a[]',
  'a.',
  '.a',
  'a..b',
  'a.new',
  'function',
  'null',
  'this[0]',
  'alert(1)//',
  '<script>',
  'a\n',
  'a'.repeat(129),
])('ignores the callback name %j', async (name) => {
  const { body, headers } = await get(
    createTestServer(),
    `/api/v1/taps?callback=${encodeURIComponent(name)}`,
  );
  expect(JSON.parse(body)).toHaveProperty('result');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
});

test('only JSONP replies may be loaded by other origins', async () => {
  const server = createTestServer();
  const { headers } = await get(server, '/api/v1/taps?callback=show');
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
  expect(headers['x-content-type-options']).toBeUndefined();
  for (const path of ['/api/v1/schema?callback=show', '/api/taps?callback=show', '/api/v1/taps?x=callback']) {
    const plain = await get(server, path);
    expect(plain.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
  }
});

test('a name cannot break out of the script', async () => {
  const server = createTestServer();
  server.engine.taps.create({ name: 'A"); alert("' });
  const { body } = await get(server, '/api/v1/taps?callback=show');
  const taps = run(body).objects as { name: string }[];
  expect(taps.map(({ name }) => name)).toContain('A"); alert("');
});

test('line separators, which end a line of a script, are escaped', () => {
  expect(jsonpFormat('show').wrap!('"A\u2028B\u2029"')).toBe('show("A\\u2028B\\u2029");');
});

test.each<[string, Record<string, string>, string]>([
  ['/api/v1/taps?format=kegbot', {}, 'objects'],
  ['/api/v1/taps/1/?format=kegbot', {}, 'object'],
  ['/api/v1/taps?api_key=KEY&format=kegbot', {}, 'objects'],
  ['/api/v1/status?format=kegbot', {}, 'error'],
  ['/api/v1/taps', { 'X-Kegbot-Api-Key': '' }, 'objects'],
  ['/api/v1/taps?format=json', { 'X-Kegbot-Api-Key': 'KEY' }, 'objects'],
  ['/api/v1/taps', {}, 'result'],
  ['/api/v1/taps?api_key=KEY', {}, 'result'],
  ['/api/v1/taps', { Authorization: 'Bearer KEY' }, 'result'],
  ['/api/v1/taps?format=json', {}, 'result'],
  ['/api/v1/taps?format=Kegbot', {}, 'result'],
  ['/api/v1/taps?x=format=kegbot', {}, 'result'],
])('%s with the headers %j is answered in the form with “%s”', async (path, headers, property) => {
  const server = createTestServer();
  const withKey = (text: string) => text.replace('KEY', server.staffKey);
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withKey(value)]));
  const { body } = await request(server.app).get(withKey(path)).set(sent);
  expect(Object.keys(body)[0]).toBe(property);
  if (property === 'error') expect(body.meta).toEqual({ result: 'error' });
});

test('a drink is posted in the kegbot form without its header', async () => {
  const server = createTestServer();
  const reply = await request(server.app)
    .post('/api/v1/taps/pi.flow0?format=kegbot')
    .type('form')
    .send({ api_key: server.staffKey, ticks: 200 })
    .expect(200);
  expect(reply.body).toMatchObject({ object: { id: 1, keg_id: 1, session_id: 1 }, meta: { result: 'ok' } });
});
