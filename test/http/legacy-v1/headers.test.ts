import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import request from 'supertest';
import { expect, test } from 'vitest';
import { createTestServer } from '../test-server.ts';

const legacyHeaders = /^deprecation: true\r\ncache-control: no-store/im;

/** Sends a raw request line and returns the answer. */
async function sendRequestLine(line: string): Promise<string> {
  const server = createServer(createTestServer().app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.end(`${line}\r\nHost: pi\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  server.close();
  return answer;
}

test.each([
  ['GET /api/v1/taps HTTP/1.1', 200],
  ['GET /api/v1/taps/ HTTP/1.1', 200],
  ['GET http://pi.local/api/v1/taps HTTP/1.1', 200],
  ['GET /api/v1?x=1 HTTP/1.1', 404],
  ['GET /api/v1 HTTP/1.1', 404],
  ['GET /api/v1/taps#left HTTP/1.1', 200],
  ['DELETE /api/v1/taps/1 HTTP/1.1', 410],
  ['POST /api/v1/taps HTTP/1.1', 401],
])('%s gets the headers of the legacy API and the security headers', async (line, status) => {
  const answer = await sendRequestLine(line);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(legacyHeaders);
  expect(answer).toMatch(/^content-security-policy: default-src 'self'/im);
  expect(answer).toMatch(/^x-content-type-options: nosniff/im);
  expect(answer.match(/^cache-control:/gim)).toHaveLength(1);
});

test('a path that only starts like the prefix is not matched', async () => {
  const { headers } = await request(createTestServer().app).get('/api/v10/taps').expect(404);
  expect(headers.deprecation).toBeUndefined();
  expect(headers['x-content-type-options']).toBe('nosniff');
});
