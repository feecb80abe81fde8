import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextPass } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createOverloadProtection } from '../../../src/http/server/overload.ts';
import { overloadLimits } from '../../../src/http/server/overload-limits.ts';

const maxConnections = 6;
let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((done) => server?.close(done));
});

interface TestOptions {
  readonly listener?: RequestListener;
  readonly perAddress?: number;
  readonly maxUnreadBytes?: number;
  readonly trustProxy?: boolean;
  readonly defer?: (work: () => void) => void;
}

let nowMs = 0;

/** Opens a server with a small connection limit and a test clock. */
async function openServer({
  listener = (_request, response) => response.end('beer'),
  perAddress = maxConnections,
  maxUnreadBytes = overloadLimits.maxUnreadBytes,
  trustProxy = false,
  defer = setImmediate,
}: TestOptions = {}) {
  nowMs = 0;
  const overload = createOverloadProtection({
    listener,
    trustProxy,
    nowMs: () => nowMs,
    defer,
    limits: { connections: { total: maxConnections, perAddress }, maxUnreadBytes, maxUnreadMs: 20_000 },
  });
  server = createServer({ requireHostHeader: false }, overload.addRequest);
  server.on('connection', overload.addConnection);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return overload;
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
  await openServer({
    listener(request, response) {
      addresses.push(request.socket.remoteAddress!);
      request.resume().on('end', () => response.end('beer'));
    },
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
  await openServer({ listener: (_request, response) => running.push(() => response.end('beer')) });
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

test('an address with too many connections replaces its own', async () => {
  await openServer({ perAddress: 2 });
  const quiet = await connectFrom(otherAddress);
  const first = await connectFrom(crowdedAddress);
  const gone = once(first, 'close');
  for (let i = 0; i < 2; i++) await connectFrom(crowdedAddress);
  await gone;
  expect(quiet.destroyed).toBe(false);
});

test('behind a trusted proxy only the total number of connections is limited', async () => {
  await openServer({ perAddress: 2, trustProxy: true });
  for (let i = 0; i < maxConnections; i++) await connectFrom(crowdedAddress);
  await nextPass();
  expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([]);
});

const crowd = '198.51.100.7';
const single = '203.0.113.9';

test.each([
  ['the address in X-Forwarded-For', [crowd, crowd, crowd, crowd], 'second'],
  [
    'the last address, because the client may claim others',
    [`1.1.1.1, ${crowd}`, `2.2.2.2, ${crowd}`, `${single},${crowd}`, crowd],
    'second',
  ],
  [
    'the prefix of an IPv6 address',
    ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::3', '2001:db8::4'],
    'second',
  ],
  ['each of several addresses', ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'], 'last'],
])('behind a trusted proxy requests are served in turn by %s', async (_what, forwarded, place) => {
  const served: string[] = [];
  let deferred: (() => void)[] = [];
  await openServer({
    trustProxy: true,
    defer: (work) => deferred.push(work),
    listener: (request, response) => {
      served.push(request.url!);
      // Longer than a slice: the next request is served in the next turn.
      nowMs += 1_000;
      response.end();
    },
  });
  const sendThrough = [...forwarded, single].map(
    (address, i) => [i === forwarded.length ? '/single' : `/crowd${i}`, address] as const,
  );
  const connected: Socket[] = [];
  for (const _ of sendThrough) connected.push(await connectFrom(otherAddress));
  // The slice for accepting connections is over, so that each request waits for its turn.
  nowMs += 1_000;
  for (const [i, [url, address]] of sendThrough.entries()) {
    const received = once(server!, 'request');
    connected[i]!.write(`GET ${url} HTTP/1.1\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    await received;
  }
  expect(served).toEqual([]);
  for (let pass = 0; pass < 100 && served.length < sendThrough.length; pass++) {
    const due = deferred;
    deferred = [];
    for (const work of due) work();
  }
  expect(served).toHaveLength(5);
  expect(served[place === 'second' ? 1 : 4]).toBe('/single');
});

/** Collects the text that a socket receives. */
function collect(socket: Socket) {
  const received = { text: '' };
  socket.setEncoding('utf8').on('data', (part: string) => {
    received.text += part;
  });
  return received;
}

/** Opens a server that notes each request and answers when told to. */
async function openManualServer(options: TestOptions = {}) {
  const waiting: { readonly url: string; answer(body?: string): void }[] = [];
  const overload = await openServer({
    ...options,
    listener: (request, response) =>
      waiting.push({ url: request.url!, answer: (body = `${request.url} `) => response.end(body) }),
  });
  return { waiting, overload };
}

test('answers pipelined requests one after the other', async () => {
  const { waiting } = await openManualServer();
  const requests = Array.from({ length: 50 }, (_, i) => `GET /${i} HTTP/1.1\r\n\r\n`).join('');
  const received = collect(await connectFrom(otherAddress, requests));
  for (let i = 0; i < 50; i++) {
    await expect.poll(() => waiting.length, { interval: 1 }).toBe(i + 1);
    await nextPass();
    expect(waiting.map(({ url }) => url)).toHaveLength(i + 1);
    waiting[i]!.answer();
  }
  await expect.poll(() => received.text).toContain('/49 ');
  expect(received.text.match(/\/\d+ /g)).toEqual(Array.from({ length: 50 }, (_, i) => `/${i} `));
});

test('parses one of thousands of pipelined requests at a time', async () => {
  const { waiting, overload } = await openManualServer();
  let parsed = 0;
  server!.on('request', () => {
    parsed += 1;
  });
  await connectFrom(otherAddress, 'GET / HTTP/1.1\r\n\r\n'.repeat(3_000));
  await expect.poll(() => waiting.length).toBe(1);
  expect(parsed).toBe(1);
  expect(overload.openResponses()).toHaveLength(1);
});

test('reads bodies between pipelined requests', async () => {
  const bodies: string[] = [];
  await openServer({
    listener(request, response) {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        bodies.push(body);
        response.end('beer');
      });
    },
  });
  // A body that looks like the end of a head.
  const post = 'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na\r\n\r\nbcde';
  const chunked = 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n';
  const bytes = `${post}${chunked}${post}`;
  const socket = await connectFrom(otherAddress);
  for (let at = 0; at < bytes.length; at += 7) {
    socket.write(bytes.slice(at, at + 7));
    await nextPass();
  }
  await expect.poll(() => bodies).toEqual(['a\r\n\r\nbcde', 'abc', 'a\r\n\r\nbcde']);
});

test('a body that the application does not read does not end up in memory', async () => {
  await openServer({ listener: () => {} });
  const socket = await connectFrom(otherAddress, 'POST / HTTP/1.1\r\nContent-Length: 90000000\r\n\r\n');
  const part = Buffer.alloc(1_048_576);
  let writtenBytes = 0;
  while (writtenBytes < 64 * part.length && socket.writableLength < 8 * part.length) {
    socket.write(part);
    writtenBytes += part.length;
    await nextPass();
  }
  expect(writtenBytes).toBeLessThan(64 * part.length);
});

/** More than the kernel buffers for a connection. */
const largeBody = 'x'.repeat(12_000_000);

test('closes a connection whose client reads nothing for 20 s, and no other one', async () => {
  const { waiting, overload } = await openManualServer();
  const [quiet, reading, stalled] = [
    await connectFrom(otherAddress, 'GET /quiet HTTP/1.1\r\n\r\n'),
    await connectFrom(otherAddress, 'GET /reading HTTP/1.1\r\n\r\n'),
    await connectFrom(otherAddress, 'GET /stalled HTTP/1.1\r\n\r\n'),
  ];
  await expect.poll(() => waiting.length).toBe(3);
  const received = collect(reading);
  waiting.find(({ url }) => url === '/reading')!.answer(largeBody);
  waiting.find(({ url }) => url === '/stalled')!.answer(largeBody);
  await expect.poll(() => received.text.length, { timeout: 5_000 }).toBeGreaterThan(largeBody.length);
  overload.closeStalled();
  nowMs = 19_999;
  overload.closeStalled();
  expect(overload.openResponses()).toHaveLength(2);
  nowMs = 20_000;
  overload.closeStalled();
  stalled.resume();
  await once(stalled, 'close');
  expect([quiet.destroyed, reading.destroyed]).toEqual([false, false]);
});

test('limits the bytes that wait for their clients by closing connections of the address with the most', async () => {
  const { waiting } = await openManualServer({ maxUnreadBytes: 3 * largeBody.length });
  const other = await connectFrom(otherAddress, getRequest);
  await expect.poll(() => waiting.length).toBe(1);
  waiting[0]!.answer(largeBody);
  const crowded: Socket[] = [];
  for (let i = 1; i < maxConnections; i++) {
    crowded.push(await connectFrom(crowdedAddress, getRequest));
    await expect.poll(() => waiting.length).toBe(i + 1);
    waiting[i]!.answer(largeBody);
  }
  expect(other.destroyed).toBe(false);
});
