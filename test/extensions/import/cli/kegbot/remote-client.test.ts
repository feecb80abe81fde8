import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createRemoteClient,
  describeNetworkFault,
  readServerAddress,
} from '../../../../../src/extensions/import/cli/kegbot/remote-client.ts';

let server: Server;
let answers: { status: number; headers?: Record<string, string>; body?: string; isCut?: boolean }[] = [];
let headers: NodeJS.Dict<string | string[]>[] = [];
let waits: number[] = [];

beforeEach(async () => {
  [answers, headers, waits] = [[], [], []];
  server = createServer((request, response) => {
    headers.push(request.headers);
    const answer = answers.shift() ?? { status: 200, body: '{"ok": true}' };
    if (answer.isCut) return void request.socket.destroy();
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = (key: string | null = 'k3y') =>
  createRemoteClient({
    base: base(),
    key,
    onWait: () => {},
    wait: async (ms) => void waits.push(ms),
  });

test('waits as long as the server asks, and longer after each failure', async () => {
  answers = [
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 503 },
    { status: 500 },
    { status: 200, body: '[1]' },
  ];
  expect(await client().get('/api/drinks')).toMatchObject({ status: 200, body: [1] });
  expect(waits).toEqual([7_000, 2_000, 4_000]);
});

test('gives up after six attempts', async () => {
  answers = Array.from({ length: 6 }, () => ({ status: 500 }));
  expect(await client().get('/')).toMatchObject({ status: 500 });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
});

test('tries again after a cut connection, but not for the first request of all', async () => {
  answers = [{ status: 200, isCut: true }];
  expect(await client().get('/')).toMatchObject({ status: 200 });
  answers = [{ status: 200, isCut: true }];
  await expect(client().get('/', { isFirst: true })).rejects.toMatchObject({ code: 'unavailable' });
});

test('sends the key as header in both forms, and none without a key', async () => {
  await client().get('/');
  await client(null).get('/');
  expect(headers[0]).toMatchObject({
    'x-kegbot-api-key': 'k3y',
    authorization: `Basic ${Buffer.from('api:k3y').toString('base64')}`,
  });
  expect(headers[1]).not.toHaveProperty('authorization');
  expect(headers[1]).not.toHaveProperty('x-kegbot-api-key');
});

test('follows a redirect on the same host and port, at most five', async () => {
  answers = [{ status: 301, headers: { location: '/api/drinks/' } }];
  expect(await client().get('/api/drinks')).toMatchObject({ status: 200, body: { ok: true } });
  answers = Array.from({ length: 7 }, () => ({ status: 302, headers: { location: '/again' } }));
  await expect(client().get('/')).rejects.toThrow(/redirects to/);
});

test.each([
  'http://elsewhere.example/api/drinks',
  '//elsewhere.example/',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  'http://[',
])('does not send the key to %s', async (location) => {
  answers = [{ status: 307, headers: { location } }];
  await expect(client().get('/api/drinks')).rejects.toThrow(/redirects to .*, which is not followed/);
});

test.each([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /has a certificate that it signed itself\. NODE_EXTRA_CA_CERTS/, false],
  ['CERT_HAS_EXPIRED', /has a certificate that has expired/, false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /has a certificate for another name/, false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', /speaks no HTTPS at this address: try http:/, false],
  ['ENOTFOUND', /The name old-pi:8443 is not known/, false],
  ['ECONNREFUSED', /No server listens at old-pi:8443/, true],
  ['ECONNRESET', /The connection to old-pi:8443 fails/, true],
])('says in words what %s means, and whether it may pass', (code, sentence, mayPass) => {
  const fault = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  const described = describeNetworkFault(fault, 'https://old-pi:8443');
  expect(described.sentence).toMatch(sentence);
  expect(described.mayPass).toBe(mayPass);
});

test.each([
  ['old-pi', 'http://old-pi'],
  ['https://Old-Pi:8443/api/v1/', 'https://old-pi:8443'],
  ['http://old-pi/kegbot/api', 'http://old-pi/kegbot'],
  ['http://old-pi/api/drinks?limit=1#x', 'http://old-pi'],
])('takes %s as the server %s', (text, address) => {
  expect(readServerAddress(text)).toBe(address);
});
