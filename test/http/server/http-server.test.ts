import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listen } from '../live/streams.ts';
import { createTestServer } from '../test-server.ts';

type Server = Awaited<ReturnType<typeof listen>>;
let open: Server | undefined;

afterEach(async () => {
  await open?.close(0);
  open = undefined;
});

/** Sends raw bytes and returns everything received until the connection is closed. */
async function sendRaw(server: Server, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

test.each([
  ['invalid HTTP', 'PROST\r\n\r\n', 'HTTP/1.1 400'],
  ['a header of 20 kB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'HTTP/1.1 431'],
])('%s is answered in JSON', async (_what, bytes, status) => {
  open = await listen(createTestServer().app);
  const answer = await sendRaw(open, bytes);
  expect(answer).toContain(status);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    error: { code: 'BadRequestError' },
  });
});

test.each([
  ['/api/v1/taps', true],
  ['/api/taps', false],
])('a header of 20 kB at %s is answered with Deprecation: %s', async (path, isLegacy) => {
  open = await listen(createTestServer().app);
  const answer = await sendRaw(open, `POST ${path} HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(answer).toContain('HTTP/1.1 431');
  expect(/^deprecation: true\r$/im.test(answer)).toBe(isLegacy);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
});

test('an invalid chunked body is answered once, with the headers of its API', async () => {
  open = await listen(createTestServer().app);
  const head = 'POST /api/v1/taps/1 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\n';
  const answer = await sendRaw(open, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toContain('HTTP/1.1 400');
  expect(answer).toMatch(/^deprecation: true\r$/im);
  expect(answer.match(/^cache-control: no-store\r$/gim)).toHaveLength(1);
});

test('accepts an absolute request URL from a proxy', async () => {
  open = await listen(createTestServer().app);
  const request =
    'GET http://pi:8080/api/v1/taps/pi.flow0?x=1 HTTP/1.1\r\nHost: pi:8080\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(open, request)).toContain('"name":"Left"');
});

test('an interrupted body affects only its connection', async () => {
  const server = createTestServer();
  open = await listen(server.app);
  const head = `POST /api/v1/taps/1?api_key=${server.staffKey} HTTP/1.1\r\nHost: pi\r\n`;
  const socket = connect(Number(new URL(open.url).port), '127.0.0.1');
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"ticks":`);
  const [request] = (await once(open.server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => request.once('close', resolve));
  socket.destroy();
  await closed;
  expect((await fetch(`${open.url}/api/v1/taps`)).status).toBe(200);
  expect(server.faults).toEqual([]);
});

test('close finishes running answers and refuses new connections', async () => {
  const requests = new EventEmitter();
  const server = await listen((_request, response) => requests.emit('started', response));
  const started = once(requests, 'started') as Promise<[ServerResponse]>;
  const reply = fetch(server.url);
  const [response] = await started;
  const closed = server.close(5_000);
  await expect(fetch(server.url)).rejects.toThrow();
  response.end('Prost');
  expect(await (await reply).text()).toBe('Prost');
  await closed;
});

test('close cuts off an answer that never ends', async () => {
  const server = await listen(() => {});
  const reply = fetch(server.url);
  reply.catch(() => {});
  await once(server.server, 'request');
  await server.close(1);
  await expect(reply).rejects.toThrow();
});

test('answers a request without Host', async () => {
  open = await listen(createTestServer().app);
  const answer = await sendRaw(open, 'GET /api/v1/taps/1 HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(answer).toContain('"name":"Left"');
});

test('a request without Host is not from an own page', async () => {
  open = await listen(createTestServer().app);
  const head = 'POST /api/clock HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n';
  expect(await sendRaw(open, `${head}Content-Length: 2\r\n\r\n{}`)).toContain('HTTP/1.1 403');
});

test('ignores an unknown Expect header', async () => {
  open = await listen(createTestServer().app);
  const request = 'GET /api/v1/taps/1 HTTP/1.1\r\nHost: pi\r\nExpect: beer\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(open, request)).toContain('"name":"Left"');
});

test('answers once when a body becomes invalid after the answer', async () => {
  open = await listen(createTestServer().app);
  const head = 'TRACE /api/v1/nothing HTTP/1.1\r\nHost: pi\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await sendRaw(open, `${head}zz\r\nbeer\r\n0\r\n\r\n`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toContain('HTTP/1.1 404');
});

test('HEAD of the schema returns its type and length', async () => {
  open = await listen(createTestServer().app);
  const reply = await fetch(`${open.url}/api/v1/schema`, {
    headers: { 'Accept-Encoding': 'identity' },
    method: 'HEAD',
  });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(10_000);
});
