import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limitConnections } from '../../../src/http/server/connection-limits.ts';

const maxConnections = 6;
let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

/** Opens a server with a small connection limit. */
async function openServer(listener: RequestListener = (_request, response) => response.end('beer')) {
  server = createServer(listener);
  limitConnections(server, maxConnections);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Connects from an address of this machine. */
async function connectFrom(from: string, bytes = ''): Promise<Socket> {
  const { port } = server!.address() as AddressInfo;
  const accepted = once(server!, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  await Promise.all([accepted, once(socket, 'connect')]);
  if (bytes !== '') socket.write(bytes);
  return socket;
}

const getRequest = 'GET / HTTP/1.1\r\nHost: bar\r\n\r\n';
const unfinishedRequest = 'POST / HTTP/1.1\r\nHost: bar\r\nContent-Length: 9\r\n\r\nbee';

/** Returns the answer; empty if the connection is closed instead. */
async function readResponse(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return text;
}

const crowdedAddress = '127.0.0.2';
const otherAddress = '127.0.0.3';

test('a new connection replaces the longest idle one of the address with the most', async () => {
  await openServer();
  const first = await connectFrom(crowdedAddress);
  const gone = once(first, 'close');
  for (let i = 1; i < maxConnections; i++) await connectFrom(crowdedAddress);
  expect(await readResponse(await connectFrom(otherAddress, getRequest))).toContain('beer');
  await gone;
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([first]);
});

test('many connections from one address never replace those of another', async () => {
  await openServer();
  const quiet = await connectFrom(otherAddress);
  for (let i = 0; i < 10 * maxConnections; i++) await connectFrom(crowdedAddress);
  quiet.write(getRequest);
  expect(await readResponse(quiet)).toContain('beer');
});

test('a connection that was just answered is not the longest idle', async () => {
  await openServer();
  const regular = await connectFrom(crowdedAddress);
  const silent = await connectFrom(crowdedAddress);
  for (let i = 2; i < maxConnections; i++) await connectFrom(crowdedAddress);
  regular.write(getRequest);
  await readResponse(regular);
  const gone = once(silent, 'close');
  expect(await readResponse(await connectFrom(otherAddress, getRequest))).toContain('beer');
  await gone;
  expect(regular.destroyed).toBe(false);
});

test('a connection with an incomplete request is replaced', async () => {
  const addresses: string[] = [];
  await openServer((request, response) => {
    addresses.push(request.socket.remoteAddress!);
    request.resume().on('end', () => response.end('beer'));
  });
  for (let i = 0; i < maxConnections; i++) {
    const received = once(server!, 'request');
    await connectFrom(crowdedAddress, unfinishedRequest);
    await received;
  }
  expect(addresses).toEqual(Array(maxConnections).fill(crowdedAddress));
  expect(await readResponse(await connectFrom(otherAddress, getRequest))).toContain('beer');
});

test('a new connection is closed when all others are being answered', async () => {
  const running: (() => void)[] = [];
  await openServer((_request, response) => running.push(() => response.end('beer')));
  const connected: Socket[] = [];
  for (let i = 0; i < maxConnections; i++) {
    const received = once(server!, 'request');
    connected.push(await connectFrom(crowdedAddress, getRequest));
    await received;
  }
  expect(await readResponse(await connectFrom(otherAddress, getRequest))).toBe('');
  const answers = connected.map(readResponse);
  for (const serve of running) serve();
  for (const answer of answers) expect(await answer).toContain('beer');
});
