import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextPass } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { overloadLimits } from '../../../src/http/server/overload-limits.ts';
import { createFileCache, openFile, sendOpenFile, sendShared } from '../../../src/http/server/send-bytes.ts';

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done) ?? done(null));
  server = undefined;
});

async function serve(listener: RequestListener): Promise<void> {
  server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

const url = () => `http://127.0.0.1:${(server!.address() as AddressInfo).port}/`;

/** Connects a client that sends a request and reads nothing. */
async function connectUnread(): Promise<Socket> {
  const socket = connect((server!.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.pause().write('GET / HTTP/1.1\r\nHost: pi\r\n\r\n');
  return socket;
}

const createFolder = () => mkdtempSync(join(tmpdir(), 'tapster-'));

/** More than the kernel takes for a client that reads nothing. */
const large = Buffer.alloc(16_000_000, 'beer');

test.each([0, 1, overloadLimits.pieceBytes, overloadLimits.pieceBytes + 1, 1_000_000])(
  'sends %i shared bytes as they are',
  async (length) => {
    const bytes = large.subarray(1, 1 + length);
    await serve((_request, response) => sendShared(response, bytes));
    const received = Buffer.from(await (await fetch(url())).arrayBuffer());
    expect(received.equals(bytes)).toBe(true);
  },
);

test('at most one piece waits in memory for a client that reads nothing', async () => {
  let sent: ServerResponse | undefined;
  await serve((_request, response) => {
    sent = response;
    sendShared(response, large);
  });
  const socket = await connectUnread();
  await expect.poll(() => sent?.writableNeedDrain).toBe(true);
  for (let pass = 0; pass < 100; pass++) await nextPass();
  // Each piece has a head of a few bytes, because the length of the answer is not stated.
  expect(sent!.writableLength).toBeLessThanOrEqual(overloadLimits.pieceBytes + 16);
  expect(sent!.writableEnded).toBe(false);
  let receivedBytes = 0;
  socket.on('data', (part: Buffer) => {
    receivedBytes += part.length;
  });
  socket.resume();
  await expect.poll(() => receivedBytes, { timeout: 10_000 }).toBeGreaterThan(large.length);
});

test('stops sending when the client disconnects', async () => {
  let sent: ServerResponse | undefined;
  await serve((_request, response) => {
    sent = response;
    sendShared(response, large);
  });
  const socket = await connectUnread();
  await expect.poll(() => sent?.writableNeedDrain).toBe(true);
  const closed = once(sent!, 'close');
  socket.destroy();
  await closed;
  expect(sent!.writableEnded).toBe(false);
});

test.each(['read', 'disconnected'] as const)('closes a file that was %s', async (how) => {
  const path = join(createFolder(), 'photo.jpg');
  writeFileSync(path, large);
  const file = await open(path);
  await serve((_request, response) => void sendOpenFile(response, file));
  if (how === 'read') {
    expect(Buffer.from(await (await fetch(url())).arrayBuffer()).equals(large)).toBe(true);
  } else {
    const received = once(server!, 'request');
    const socket = await connectUnread();
    await received;
    socket.destroy();
  }
  // The descriptor of a closed file.
  await expect.poll(() => file.fd).toBe(-1);
});

test('a file that does not exist is null; another has its size', async () => {
  const path = join(createFolder(), 'photo.jpg');
  expect(await openFile(path)).toBeNull();
  writeFileSync(path, 'four');
  const found = (await openFile(path))!;
  expect(found.sizeBytes).toBe(4);
  await found.file.close();
});

test('a cached file is one buffer for all clients until it changes', async () => {
  const path = join(createFolder(), 'page.js');
  writeFileSync(path, 'old');
  const cache = createFileCache();
  const [first, second] = await Promise.all([cache.read(path), cache.read(path)]);
  expect(first!.bytes.toString()).toBe('old');
  expect(second!.bytes).toBe(first!.bytes);
  writeFileSync(path, 'new');
  utimesSync(path, 1_000, 1_000);
  expect((await cache.read(path))!.bytes.toString()).toBe('new');
});

test('the cache has no folders and no missing files, and finds a file that is created later', async () => {
  const folder = createFolder();
  const path = join(folder, 'page.js');
  const cache = createFileCache();
  expect(await cache.read(folder)).toBeNull();
  expect(await cache.read(path)).toBeNull();
  writeFileSync(path, 'beer');
  expect((await cache.read(path))!.bytes.toString()).toBe('beer');
  rmSync(path);
  mkdirSync(path);
  expect(await cache.read(path)).toBeNull();
});
