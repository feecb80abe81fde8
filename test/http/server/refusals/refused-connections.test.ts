import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createRefusedConnections } from '../../../../src/http/server/refusals/refused-connections.ts';

const limits = { total: 3, perWindow: 2, windowMs: 10_000, holdMs: 3_000 };
let server: Server | undefined;
let nowMs = 0;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

/** Opens a server that refuses every connection. */
async function openServer() {
  nowMs = 0;
  const refused = createRefusedConnections({ nowMs: () => nowMs, limits });
  const requests: string[] = [];
  server = createServer(({ url }, response) => {
    requests.push(url!);
    response.end();
  });
  server.on('connection', (socket) => refused.refuse(socket, '127.0.0.1'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { refused, requests };
}

/** Connects and sends many requests at once; resolves once the server has the connection. */
async function connectAndSend() {
  const accepted = once(server!, 'connection') as Promise<[Socket]>;
  const socket = connect({ port: (server!.address() as AddressInfo).port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => {}).resume();
  socket.write('GET / HTTP/1.1\r\nHost: bar\r\n\r\n'.repeat(3_000));
  const [accepting] = await accepted;
  return { socket, accepting, closed: new Promise((done) => socket.once('close', done)) };
}

test('the first are closed at once, further ones after a while, unread', async () => {
  const { refused, requests } = await openServer();
  for (let i = 0; i < limits.perWindow; i++) await (await connectAndSend()).closed;
  const late = await connectAndSend();
  await once(late.accepting, 'pause');
  nowMs = limits.holdMs - 1;
  refused.closeLate();
  expect([refused.size, late.socket.destroyed]).toEqual([1, false]);
  nowMs += 1;
  refused.closeLate();
  await late.closed;
  expect(refused.size).toBe(0);
  expect(late.accepting.bytesRead).toBeLessThanOrEqual(65_536);
  expect(requests).toEqual([]);
});

test('those beyond the total are closed at once', async () => {
  const { refused } = await openServer();
  for (let i = 0; i < limits.perWindow; i++) await (await connectAndSend()).closed;
  for (let i = 0; i < limits.total; i++) await connectAndSend();
  await (await connectAndSend()).closed;
  expect(refused.size).toBe(limits.total);
});

test('an address is closed at once again in the next window', async () => {
  const { refused } = await openServer();
  for (let i = 0; i <= limits.perWindow; i++) await connectAndSend();
  nowMs = limits.windowMs;
  await (await connectAndSend()).closed;
  expect(refused.size).toBe(1);
});
