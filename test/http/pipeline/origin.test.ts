import type { IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import {
  findOwnAddress,
  isForeignOrigin,
  isFromThisMachine,
  namesThisHost,
  namesThisHostOrAddress,
} from '../../../src/http/pipeline/origin.ts';

/** The parts of a request that are used. */
const request = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

test.each(['127.0.0.1', '127.0.1.1', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(isFromThisMachine(request({}, address))).toBe(true);
});

test.each(['192.168.1.7', '::ffff:10.0.0.1', 'fe80::1', ''])('%s is another machine', (address) => {
  expect(isFromThisMachine(request({}, address))).toBe(false);
});

test('a request through a proxy is remote, whatever address the proxy reports', () => {
  expect(isFromThisMachine(request({ 'x-forwarded-for': '127.0.0.1' }))).toBe(false);
  expect(isFromThisMachine(request({ forwarded: 'for=127.0.0.1' }))).toBe(false);
});

test.each([
  'localhost',
  'localhost:8080',
  '127.0.0.1:8080',
  '[::1]:8080',
  'LOCALHOST',
  hostname(),
  'bar.lan:80',
])('Host %s is this machine', (host) => {
  expect(namesThisHost(request({ host }), ['bar.lan'])).toBe(true);
});

test.each(['evil.example', 'localhost.evil.example', '192.168.1.5', '', 'a b'])(
  'Host “%s” is not this machine',
  (host) => {
    expect(namesThisHost(request({ host }), ['bar.lan'])).toBe(false);
  },
);

test('an IP address as Host is accepted, a foreign name is not', () => {
  expect(namesThisHostOrAddress(request({ host: '192.168.1.5:8080' }), [])).toBe(true);
  expect(namesThisHostOrAddress(request({ host: 'evil.example' }), [])).toBe(false);
});

test.each([
  [{ host: 'pi:8080' }, false],
  [{ host: 'pi:8080', origin: 'http://pi:8080' }, false],
  [{ host: 'pi:8080', origin: 'http://pi:9090' }, true],
  [{ host: 'pi:8080', origin: 'http://evil.example' }, true],
  [{ host: 'pi:8080', origin: 'null' }, true],
  [{ host: 'pi:8080', 'sec-fetch-site': 'cross-site' }, true],
  [{ host: 'pi:8080', 'sec-fetch-site': 'same-origin', origin: 'http://pi:8080' }, false],
])('headers %j are from a foreign page: %s', (headers, isForeign) => {
  expect(isForeignOrigin(request(headers as Record<string, string>))).toBe(isForeign);
});

/** A request that arrived at this machine's address in the local network. */
const arrived = (headers: Record<string, string>, socket: object = {}) =>
  ({
    headers,
    socket: { localAddress: '::ffff:192.168.1.5', localPort: 8080, ...socket },
  }) as unknown as IncomingMessage;

test.each([
  [{ host: '192.168.1.5:8080' }, {}, 'http://192.168.1.5:8080'],
  [{ host: 'BAR.lan' }, {}, 'http://bar.lan:8080'],
  [{ host: 'bar.lan' }, { localPort: 80 }, 'http://bar.lan'],
  [{ host: 'bar.lan' }, { localPort: 443, encrypted: true }, 'https://bar.lan'],
  [{ host: 'bar.lan' }, { localPort: 8443, encrypted: true }, 'https://bar.lan:8443'],
  [{ host: '[fd00::5]:8080' }, { localAddress: 'fd00::5' }, 'http://[fd00::5]:8080'],
  [{ host: 'evil.example' }, {}, null],
  [{ host: '192.168.1.6:8080' }, {}, null],
  [{}, {}, null],
  [{ host: 'bar.lan', 'x-forwarded-for': '10.0.0.1' }, {}, null],
  [{ host: 'bar.lan', forwarded: 'for=10.0.0.1' }, {}, null],
] as const)('links in mails to a request with %j at %j begin with %s', (headers, socket, address) => {
  expect(findOwnAddress(arrived(headers, socket), ['bar.lan'])).toBe(address);
});
