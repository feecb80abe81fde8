import { type IncomingMessage, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { createMetricsApp } from '../../../../src/extensions/metrics/http/metrics.ts';
import {
  decideMetricsAccess,
  type MetricsAccess,
} from '../../../../src/extensions/metrics/http/metrics-access.ts';
import { createAddressRanges } from '../../../../src/system/address-ranges.ts';

const token = 'sixteen-characters-and-more';
const service = {
  scrape: async (format: string) => ({
    contentType: format === 'openmetrics' ? 'application/openmetrics-text' : 'text/plain',
    text: `# ${format}\n`,
  }),
};
const onlyLoopback = { allowsLoopback: true, token: '', isListed: () => false };

const silent = { info() {}, warn() {}, error() {} };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Starts the app on a port of this machine and returns the function that sends a request. */
async function open(
  options: Partial<Parameters<typeof createMetricsApp>[0]> = {},
): Promise<(init?: { method?: string; headers?: Record<string, string> }) => Promise<Answer>> {
  const app = createMetricsApp({
    service,
    access: onlyLoopback,
    hosts: [],
    log: silent,
    rateLimits: false,
    trustProxy: false,
    ...options,
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  return ({ method = 'GET', headers = {} } = {}) =>
    new Promise((done, fail) => {
      sendRequest({ port, host: '127.0.0.1', path: '/metrics', method, headers, agent: false }, (answer) => {
        text(answer).then(
          (body) => done({ status: answer.statusCode!, headers: answer.headers, body }),
          fail,
        );
      })
        .on('error', fail)
        .end();
    });
}

describe('the answer', () => {
  test.each([
    [undefined, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text; q=0', 'prometheus'],
    ['text/plain;q=0.9,application/openmetrics-text;q=0.5', 'prometheus'],
    // Prometheus 2.
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    // Prometheus 3.
    [
      'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,text/plain;version=0.0.4;q=0.2,*/*;q=0.1',
      'openmetrics',
    ],
  ])('for Accept %s it is in the format %s', async (accept, format) => {
    const send = await open();
    const { body, headers } = await send(accept === undefined ? {} : { headers: { Accept: accept } });
    expect(body).toBe(`# ${format}\n`);
    expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
  });

  test('HEAD has the headers of GET and no body', async () => {
    const { status, headers, body } = await (await open())({ method: 'HEAD' });
    expect([status, body]).toEqual([200, '']);
    expect(headers['content-length']).toBe(String('# prometheus\n'.length));
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is refused', async (method) => {
    const { status, headers } = await (await open())({ method });
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET, HEAD');
  });

  test('a scrape that fails is answered without its cause', async () => {
    const send = await open({ service: { scrape: () => Promise.reject(new Error('/var/lib is gone')) } });
    const { status, body } = await send();
    expect(status).toBe(503);
    expect(body).not.toContain('/var/lib');
  });

  test('wrong tokens are limited per address', async () => {
    const send = await open({ rateLimits: true, access: { ...onlyLoopback, token } });
    const statuses: number[] = [];
    for (let i = 0; i < 31; i++)
      statuses.push((await send({ headers: { Authorization: `Bearer wrong-${i}` } })).status);
    expect(new Set(statuses.slice(0, 30))).toEqual(new Set([401]));
    expect(statuses[30]).toBe(429);
    expect((await send({ headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
  });

  test('a refusal says what to do and names no secret', async () => {
    const withToken = await open({ access: { allowsLoopback: false, token, isListed: () => false } });
    const unauthenticated = await withToken();
    expect(unauthenticated.status).toBe(401);
    expect(unauthenticated.headers['www-authenticate']).toBe('Bearer');
    expect(unauthenticated.body).toContain('metrics.allow_addresses');
    expect(unauthenticated.body).not.toContain(token);
    const withoutToken = await open({ access: { allowsLoopback: false, token: '', isListed: () => false } });
    const forbidden = await withoutToken();
    expect(forbidden.status).toBe(403);
    expect(forbidden.body).toContain('metrics.token');
  });
});

describe('access', () => {
  const request = (address: string, headers: Record<string, string> = {}): IncomingMessage =>
    ({ socket: { remoteAddress: address }, headers: { host: 'localhost:8080', ...headers } }) as never;
  const access = (change: Partial<MetricsAccess> = {}): MetricsAccess => ({
    allowsLoopback: true,
    token: '',
    isListed: createAddressRanges(['192.168.1.0/24']),
    ...change,
  });
  const decide = (message: IncomingMessage, change: Partial<MetricsAccess> = {}) =>
    decideMetricsAccess(message, access(change), ['tapster.lan']);

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
    expect(decide(request(address))).toBe('allow');
    expect(decide(request(address), { allowsLoopback: false })).toBe('forbidden');
  });

  test('a foreign name of this machine is refused, as a browser sends it after DNS rebinding', () => {
    expect(decide(request('127.0.0.1', { host: 'evil.example' }))).toBe('forbidden');
    expect(decide(request('127.0.0.1', { host: 'tapster.lan' }))).toBe('allow');
  });

  test('a listed address needs no token, another one does', () => {
    expect(decide(request('192.168.1.9'))).toBe('allow');
    expect(decide(request('::ffff:192.168.1.9'))).toBe('allow');
    expect(decide(request('192.168.2.9'))).toBe('forbidden');
    expect(decide(request('192.168.2.9'), { token })).toBe('unauthenticated');
    expect(decide(request('192.168.2.9', { authorization: `Bearer ${token}` }), { token })).toBe('allow');
    expect(decide(request('192.168.2.9', { authorization: `bearer ${token} ` }), { token })).toBe('allow');
  });

  test('a wrong token is refused from everywhere, and none counts where none is set', () => {
    const authorization = 'Bearer wrong';
    expect(decide(request('127.0.0.1', { authorization }), { token })).toBe('wrong-token');
    expect(decide(request('192.168.1.9', { authorization }), { token })).toBe('wrong-token');
    expect(decide(request('192.168.2.9', { authorization }))).toBe('forbidden');
    expect(decide(request('192.168.2.9', { authorization: 'Bearer ' }))).toBe('forbidden');
  });

  test.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['x-forwarded-for', '192.168.1.9'],
    ['x-real-ip', '192.168.1.9'],
    ['forwarded', 'for=127.0.0.1'],
    ['x-forwarded-host', 'localhost'],
    ['x-forwarded-proto', 'https'],
    ['via', '1.1 proxy'],
  ])('%s: %s opens nothing, and closes what the address of the connection opens', (name, value) => {
    expect(decide(request('10.9.8.7', { [name]: value }))).toBe('forbidden');
    expect(decide(request('127.0.0.1', { [name]: value }))).toBe('forbidden');
    expect(decide(request('192.168.1.9', { [name]: value }))).toBe('forbidden');
    const withToken = request('127.0.0.1', { [name]: value, authorization: `Bearer ${token}` });
    expect(decide(withToken, { token })).toBe('allow');
  });

  test('X-Forwarded-For opens nothing behind a trusted proxy', async () => {
    const isListed = createAddressRanges(['192.168.1.0/24']);
    const send = await open({ trustProxy: true, access: { allowsLoopback: true, token: '', isListed } });
    expect((await send({ headers: { 'X-Forwarded-For': '192.168.1.9' } })).status).toBe(403);
    expect((await send({ headers: { 'X-Forwarded-For': '127.0.0.1' } })).status).toBe(403);
    expect((await send()).status).toBe(200);
  });
});
