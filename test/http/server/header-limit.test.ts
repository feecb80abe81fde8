import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { createProtectedServer, createServerProtection } from '../../../src/http/server/http-server.ts';
import { createHttpsServer } from '../../../src/http/server/https-server.ts';
import { createCertificates } from '../../kit/certificates.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const { server, authority } = createCertificates();

/** Opens both servers, whose handler notes the requests that reach it; returns functions that connect. */
async function openServers({ trustProxy = false } = {}) {
  const received: IncomingMessage[] = [];
  const protection = createServerProtection(
    (request, response) => {
      received.push(request);
      request.resume().once('end', () => response.end('beer'));
    },
    { trustProxy },
  );
  const http = createProtectedServer(protection);
  const https = createHttpsServer(protection, { certificate: server.certificate.text, key: server.key.text });
  for (const one of [http, https]) {
    one.server.listen(0, '127.0.0.1');
    await once(one.server, 'listening');
    closers.push(() => one.close(0));
  }
  const portOf = (one: typeof http | typeof https) => (one.server.address() as AddressInfo).port;
  const open = {
    http: () => connect(portOf(http), '127.0.0.1'),
    https: () =>
      connectTls({
        port: portOf(https),
        host: '127.0.0.1',
        ca: authority.certificate.text,
        servername: 'localhost',
      }) as Socket,
  };
  return { received, open };
}

/** Sends bytes and returns everything received until the connection is closed. */
async function exchange(socket: Socket, bytes: string): Promise<string> {
  let answer = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part;
  });
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return answer;
}

/** Headers before `last`, so that there are `count` in all. */
const headers = (count: number, ...last: readonly string[]): string =>
  [...Array.from({ length: count - last.length }, (_, n) => `X${n}: 1`), ...last].join('\r\n');

const kinds = ['http', 'https'] as const;

test.each(kinds)('over %s 100 headers are read, the last one included', async (kind) => {
  const { received, open } = await openServers();
  const last = ['Connection: close', 'X-Forwarded-For: 10.1.2.3'];
  const answer = await exchange(open[kind](), `GET / HTTP/1.1\r\n${headers(100, ...last)}\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(received).toHaveLength(1);
  expect(received[0]!.headers['x-forwarded-for']).toBe('10.1.2.3');
  expect(received[0]!.rawHeaders).toHaveLength(200);
});

// Node's parser passes headers on by 32.
test.each(
  kinds.flatMap((kind) =>
    [101, 102, 127, 128, 129, 160, 161, 500, 2_000].map((count) => [kind, count] as const),
  ),
)('over %s %i headers are refused before any handler', async (kind, count) => {
  const { received, open } = await openServers();
  const request = `GET /metrics HTTP/1.1\r\n${headers(count, 'X-Forwarded-For: 10.1.2.3')}\r\n\r\n`;
  const answer = await exchange(open[kind](), request);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toMatch(/^cache-control: no-store\r$/im);
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    error: { code: 'BadRequestError', message: 'The request has more than 100 headers.' },
  });
  expect(received).toEqual([]);
});

test.each([
  ['a live stream', 'GET /api/live', 'Accept: text/event-stream', ''],
  ['an upgrade', 'GET /api/live', 'Connection: Upgrade\r\nUpgrade: websocket', ''],
  ['a body', 'POST /api/v1/taps/1', 'Content-Length: 7', 'ticks=1'],
  ['a chunked body', 'POST /api/v1/taps/1', 'Transfer-Encoding: chunked', '7\r\nticks=1\r\n0\r\n\r\n'],
  ['a body that never comes', 'POST /api/v1/taps/1', 'Content-Length: 7', ''],
  ['an unknown expectation', 'POST /api/v1/taps/1', 'Expect: beer\r\nContent-Length: 7', 'ticks=1'],
  ['HEAD', 'HEAD /', 'Accept: */*', ''],
])('%s with too many headers is refused', async (_what, line, own, body) => {
  const { received, open } = await openServers();
  const request = `${line} HTTP/1.1\r\n${own}\r\n${headers(101)}\r\n\r\n${body}`;
  expect(await exchange(open.http(), request)).toMatch(/^HTTP\/1\.1 431 /);
  expect(received).toEqual([]);
});

test('of pipelined requests the one with too many headers is refused, and those after it are not read', async () => {
  const { received, open } = await openServers();
  const plain = 'GET / HTTP/1.1\r\nHost: pi\r\n\r\n';
  const answer = await exchange(open.http(), `${plain}GET / HTTP/1.1\r\n${headers(101)}\r\n\r\n${plain}`);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 431']);
  expect(received).toHaveLength(1);
});

test('behind a trusted proxy, too, and the legacy API keeps its header', async () => {
  const { received, open } = await openServers({ trustProxy: true });
  const request = `POST /api/v1/taps HTTP/1.1\r\n${headers(101, 'X-Forwarded-For: 10.1.2.3')}\r\n\r\n`;
  const answer = await exchange(open.http(), request);
  expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  expect(answer).toMatch(/^deprecation: true\r$/im);
  expect(received).toEqual([]);
});
