import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
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

/** Sends bytes as they are and gives back everything that is answered before the connection ends. */
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
  ['what is not HTTP', 'PROST\r\n\r\n', 'HTTP/1.1 400'],
  ['a header without end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 'HTTP/1.1 431'],
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
])('a header without end at %s is answered as old, or not', async (path, isLegacy) => {
  open = await listen(createTestServer().app);
  const answer = await sendRaw(open, `POST ${path} HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  expect(answer).toContain('HTTP/1.1 431');
  expect(/^deprecation: true\r$/im.test(answer)).toBe(isLegacy);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
});

test('a body that turns out to be nonsense is answered with the marks of its address', async () => {
  open = await listen(createTestServer().app);
  const head = 'POST /api/v1/taps/1 HTTP/1.1\r\nHost: pi\r\nContent-Type: application/json\r\n';
  const answer = await sendRaw(open, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toContain('HTTP/1.1 400');
  expect(answer).toMatch(/^deprecation: true\r$/im);
  expect(answer.match(/^cache-control: no-store\r$/gim)).toHaveLength(1);
});

test('a proxy may ask with the whole address', async () => {
  open = await listen(createTestServer().app);
  const request =
    'GET http://pi:8080/api/v1/taps/pi.flow0?x=1 HTTP/1.1\r\nHost: pi:8080\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(open, request)).toContain('"name":"Left"');
});

test('a body that breaks off costs nothing but its connection', async () => {
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

test('going home: the running answer is finished, the next guest finds the door shut', async () => {
  let sendAnswer = () => {};
  const server = await listen((_request, response) => {
    sendAnswer = () => response.end('Prost');
  });
  const reply = fetch(server.url);
  await once(server.server, 'request');
  const closed = server.close(5_000);
  await expect(fetch(server.url)).rejects.toThrow();
  sendAnswer();
  expect(await (await reply).text()).toBe('Prost');
  await closed;
});

test('who never finishes is cut off in the end', async () => {
  const server = await listen(() => {});
  const reply = fetch(server.url);
  reply.catch(() => {});
  await once(server.server, 'request');
  await server.close(1);
  await expect(reply).rejects.toThrow();
});

test('a small board that forgets the Host is answered all the same', async () => {
  open = await listen(createTestServer().app);
  const answer = await sendRaw(open, 'GET /api/v1/taps/1 HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(answer).toContain('"name":"Left"');
});

test('without a Host nobody is taken for a page of this house', async () => {
  open = await listen(createTestServer().app);
  const head = 'POST /api/clock HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\n';
  expect(await sendRaw(open, `${head}Content-Length: 2\r\n\r\n{}`)).toContain('HTTP/1.1 403');
});

test('whatever else a client expects, it gets its answer', async () => {
  open = await listen(createTestServer().app);
  const request = 'GET /api/v1/taps/1 HTTP/1.1\r\nHost: pi\r\nExpect: beer\r\nConnection: close\r\n\r\n';
  expect(await sendRaw(open, request)).toContain('"name":"Left"');
});

test('one request has one answer, even when its body turns out to be nonsense afterwards', async () => {
  open = await listen(createTestServer().app);
  const head = 'TRACE /api/v1/nothing HTTP/1.1\r\nHost: pi\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await sendRaw(open, `${head}zz\r\nbeer\r\n0\r\n\r\n`);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toContain('HTTP/1.1 404');
});

test('the document of an interface is announced like every answer, with its type and length', async () => {
  open = await listen(createTestServer().app);
  const reply = await fetch(`${open.url}/api/v1/schema`, { method: 'HEAD' });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(Number(reply.headers.get('content-length'))).toBeGreaterThan(10_000);
});
