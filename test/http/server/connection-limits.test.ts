import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { limitConnections } from '../../../src/http/server/connection-limits.ts';

const seats = 6;
let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

/** A bar with few seats. */
async function openBar(listener: RequestListener = (_request, response) => response.end('beer')) {
  server = createServer(listener);
  limitConnections(server, seats);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Somebody at the door, from an address of this machine. */
async function come(from: string, says = ''): Promise<Socket> {
  const { port } = server!.address() as AddressInfo;
  const seen = once(server!, 'connection');
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  socket.on('error', () => {});
  await Promise.all([seen, once(socket, 'connect')]);
  if (says !== '') socket.write(says);
  return socket;
}

const ask = 'GET / HTTP/1.1\r\nHost: bar\r\n\r\n';
const halfAnOrder = 'POST / HTTP/1.1\r\nHost: bar\r\nContent-Length: 9\r\n\r\nbee';

/** What a guest is answered; empty when he is shown out instead. */
async function answerTo(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return text;
}

const crowd = '127.0.0.2';
const anna = '127.0.0.3';

test('in a full house the newcomer gets the place of the longest silent of the largest party', async () => {
  await openBar();
  const first = await come(crowd);
  const gone = once(first, 'close');
  for (let i = 1; i < seats; i++) await come(crowd);
  expect(await answerTo(await come(anna, ask))).toContain('beer');
  await gone;
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([first]);
});

test('a crowd makes room for itself and never takes a neighbour’s place', async () => {
  await openBar();
  const quiet = await come(anna);
  for (let i = 0; i < 10 * seats; i++) await come(crowd);
  quiet.write(ask);
  expect(await answerTo(quiet)).toContain('beer');
});

test('who was served a moment ago is not the longest silent', async () => {
  await openBar();
  const regular = await come(crowd);
  const silent = await come(crowd);
  for (let i = 2; i < seats; i++) await come(crowd);
  regular.write(ask);
  await answerTo(regular);
  const gone = once(silent, 'close');
  expect(await answerTo(await come(anna, ask))).toContain('beer');
  await gone;
  expect(regular.destroyed).toBe(false);
});

test('those who never finish asking make room as well', async () => {
  const asked: string[] = [];
  await openBar((request, response) => {
    asked.push(request.socket.remoteAddress!);
    request.resume().on('end', () => response.end('beer'));
  });
  for (let i = 0; i < seats; i++) {
    const heard = once(server!, 'request');
    await come(crowd, halfAnOrder);
    await heard;
  }
  expect(asked).toEqual(Array(seats).fill(crowd));
  expect(await answerTo(await come(anna, ask))).toContain('beer');
});

test('who is being answered stays, and the newcomer is turned away when that is everybody', async () => {
  const running: (() => void)[] = [];
  await openBar((_request, response) => running.push(() => response.end('beer')));
  const guests: Socket[] = [];
  for (let i = 0; i < seats; i++) {
    const heard = once(server!, 'request');
    guests.push(await come(crowd, ask));
    await heard;
  }
  expect(await answerTo(await come(anna, ask))).toBe('');
  const answers = guests.map(answerTo);
  for (const serve of running) serve();
  for (const answer of answers) expect(await answer).toContain('beer');
});
