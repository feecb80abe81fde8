import { EventEmitter, once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createHandshakes } from '../../../src/http/server/handshakes.ts';
import { createProtectedServer, createServerProtection } from '../../../src/http/server/http-server.ts';
import { createHttpsServer } from '../../../src/http/server/https-server.ts';
import { overloadLimits } from '../../../src/http/server/overload-limits.ts';
import { createCertificates, type TestCertificates } from '../../kit/certificates.ts';

let pems: TestCertificates;
let close: (withinMs?: number) => Promise<unknown> = async () => {};

beforeAll(() => {
  pems = createCertificates();
});
afterEach(() => close());

/** Starts both servers of one protection. */
async function start(listener: RequestListener = (_request, response) => void response.end('beer')) {
  const protection = createServerProtection(listener);
  const { certificate, key } = pems.server;
  const http = createProtectedServer(protection);
  const https = createHttpsServer(protection, { certificate: certificate.text, key: key.text });
  for (const { server } of [http, https])
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const [httpPort, port] = [http, https].map(({ server }) => (server.address() as AddressInfo).port);
  close = (withinMs = 0) => Promise.all([http.close(withinMs), https.close(withinMs)]);
  return { https, httpUrl: `http://127.0.0.1:${httpPort}/`, port: port! };
}

async function openTls(port: number, options: ConnectionOptions = {}) {
  const socket = connectTls({ port, host: 'localhost', ca: pems.authority.certificate.text, ...options });
  await once(socket, 'secureConnect');
  return socket;
}

/** Everything a socket receives until it is closed. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(socket, 'close');
  return text;
}

const openTcp = (port: number) => connect(port, '127.0.0.1').on('error', () => {});

test('requests of one packet are answered one after the other over TLS', async () => {
  const running = new EventEmitter();
  let open = 0;
  let most = 0;
  const { port } = await start((request, response) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      response.end(`<${request.url}>`);
      running.emit('answered');
    });
  });
  const socket = await openTls(port);
  const paths = Array.from({ length: 50 }, (_, at) => `/${at}`);
  const last = 'GET /last HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n';
  socket.write(`${paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: pi\r\n\r\n`).join('')}${last}`);
  const text = await readAll(socket);
  expect([...text.matchAll(/<(\/\w+)>/g)].map(([, path]) => path)).toEqual([...paths, '/last']);
  expect(most).toBe(1);
});

test('an upload of several records arrives whole', async () => {
  const { port } = await start((request, response) => {
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    request.on('end', () => response.end(`<${bytes}>`));
  });
  const socket = await openTls(port);
  const head = 'POST / HTTP/1.1\r\nHost: pi\r\nConnection: close\r\nContent-Length: 3000000\r\n\r\n';
  socket.write(head);
  socket.write('x'.repeat(3_000_000));
  expect(await readAll(socket)).toContain('<3000000>');
});

test('TLS 1.1 is refused, TLS 1.2 and 1.3 are accepted', async () => {
  const { port } = await start();
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const socket = await openTls(port, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
    socket.destroy();
  }
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(openTls(port, old)).rejects.toThrow();
});

test('plain HTTP on the port of HTTPS is refused and harms nothing', async () => {
  const { port, httpUrl } = await start();
  const socket = openTcp(port);
  socket.write('GET / HTTP/1.1\r\nHost: pi\r\n\r\n');
  expect(await readAll(socket)).not.toContain('200');
  expect((await fetch(httpUrl)).status).toBe(200);
});

test('a request that is no HTTP is answered in JSON over TLS', async () => {
  const { port } = await start();
  const socket = await openTls(port);
  socket.write('PROST\r\n\r\n');
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"BadRequestError"/);
});

test('hundreds of half-open handshakes leave both servers usable', async () => {
  const { port, httpUrl } = await start();
  const sockets = Array.from({ length: 400 }, () => openTcp(port));
  // Half of them send the beginning of a handshake.
  for (const socket of sockets.slice(0, 200)) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => {})));
  const answers = await Promise.all(Array.from({ length: 100 }, () => fetch(httpUrl)));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  // The rest were closed for those that came later.
  await expect
    .poll(() => sockets.filter(({ destroyed, readyState }) => !destroyed && readyState === 'open').length)
    .toBeLessThanOrEqual(overloadLimits.handshakes.perAddress);
  for (const socket of sockets) socket.destroy();
});

test('connections over TLS and without share the limit of their address', async () => {
  const { port, httpUrl } = await start();
  const plain = Array.from({ length: 150 }, () => openTcp(Number(new URL(httpUrl).port)));
  await Promise.all(plain.map((socket) => once(socket, 'connect')));
  const secure: Socket[] = [];
  // One after the other: at once they would be limited as handshakes.
  for (let count = 0; count < 60; count += 1) secure.push(await openTls(port));
  const isOpen = ({ destroyed, readyState }: Socket) => !destroyed && readyState === 'open';
  await expect
    .poll(() => [...plain, ...secure].filter(isOpen).length)
    .toBe(overloadLimits.connections.perAddress);
  for (const socket of [...plain, ...secure]) socket.destroy();
});

test('closing ends live streams', async () => {
  const { port } = await start((_request, response) => {
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Connection', 'close');
    response.write('data: {}\n\n');
  });
  const stream = await openTls(port);
  stream.write('GET / HTTP/1.1\r\nHost: pi\r\n\r\n');
  await once(stream, 'data');
  const ended = once(stream.resume(), 'close');
  await close(5_000);
  await ended;
});

test('closing does not wait for a handshake', async () => {
  const { https, port } = await start();
  const accepted = once(https.server, 'connection');
  const socket = openTcp(port).resume();
  await accepted;
  const ended = once(socket, 'close');
  await close(5_000);
  await ended;
});

test('another certificate is used for new connections, and open ones stay', async () => {
  const { https, port } = await start();
  const before = await openTls(port);
  const next = createCertificates();
  https.replaceIdentity({ certificate: next.server.certificate.text, key: next.server.key.text });
  const after = await openTls(port, { ca: next.authority.certificate.text });
  for (const socket of [before, after]) {
    socket.write('GET / HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n');
    expect(await readAll(socket)).toContain('beer');
  }
});

/** Sockets without a network. */
function createSockets() {
  let port = 0;
  return (remoteAddress: string) => {
    port += 1;
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      remotePort: port,
      localAddress: '192.168.1.5',
      destroy: vi.fn(() => socket.emit('close')),
    });
    return socket as unknown as Socket & { readonly destroy: ReturnType<typeof vi.fn> };
  };
}

test('a handshake that sends a byte now and then is ended after ten seconds', () => {
  let nowMs = 0;
  const handshakes = createHandshakes({ nowMs: () => nowMs });
  const createSocket = createSockets();
  const [slow, complete] = [createSocket('10.0.0.7'), createSocket('10.0.0.7')];
  handshakes.add(slow);
  handshakes.add(complete);
  handshakes.complete(complete);
  nowMs = 9_999;
  handshakes.closeLate();
  expect(slow.destroy).not.toHaveBeenCalled();
  nowMs = 10_000;
  handshakes.closeLate();
  expect(slow.destroy).toHaveBeenCalled();
  expect(complete.destroy).not.toHaveBeenCalled();
  expect(handshakes.size).toBe(0);
});

test('handshakes of one address do not end those of others', () => {
  const handshakes = createHandshakes({ nowMs: () => 0 });
  const createSocket = createSockets();
  const guest = createSocket('10.0.0.9');
  handshakes.add(guest);
  const attackers = Array.from({ length: 150 }, () => createSocket('10.0.0.7'));
  for (const socket of attackers) handshakes.add(socket);
  expect(guest.destroy).not.toHaveBeenCalled();
  expect(handshakes.size).toBe(overloadLimits.handshakes.perAddress + 1);
});

test('an address that begins handshakes all the time is slowed down for ten seconds', () => {
  let nowMs = 0;
  const handshakes = createHandshakes({ nowMs: () => nowMs });
  const createSocket = createSockets();
  const begin = (address: string) => {
    const socket = createSocket(address);
    handshakes.add(socket);
    handshakes.complete(socket);
    return socket.destroy.mock.calls.length === 0;
  };
  const accepted = Array.from({ length: 500 }, () => begin('10.0.0.7')).filter(Boolean);
  expect(accepted).toHaveLength(overloadLimits.handshakes.perWindow);
  expect(begin('10.0.0.8')).toBe(true);
  nowMs = 10_000;
  expect(begin('10.0.0.7')).toBe(true);
});
