import { expect, test } from 'vitest';
import {
  normalizeHostName,
  ownNames,
  permittedDomains,
  withinDomains,
} from '../../../src/core/certificates/certificate-names.ts';

test('a certificate has the names and the local addresses of the host', () => {
  expect(
    ownNames({
      hostName: 'Bar',
      hasAlias: false,
      addresses: ['192.168.1.5', '10.0.0.2', 'fd00::5', '192.168.1.5'],
    }),
  ).toEqual({
    dns: ['bar.local', 'bar', 'localhost'],
    addresses: ['10.0.0.2', '192.168.1.5', 'fd00::5', '127.0.0.1', '::1'],
  });
});

test('the alias is a name only where it is set', () => {
  const named = (hasAlias: boolean) => ownNames({ hostName: 'bar', hasAlias, addresses: [] }).dns;
  expect(named(true)).toContain('tapster.local');
  expect(named(false)).not.toContain('tapster.local');
  expect(ownNames({ hostName: 'tapster', hasAlias: true, addresses: [] }).dns).toEqual([
    'tapster.local',
    'tapster',
    'localhost',
  ]);
});

test('public and link-local IPv6 addresses are left out', () => {
  const addresses = ['8.8.8.8', '2001:db8::1', 'fe80::1', '0.0.0.0', 'no address'];
  expect(ownNames({ hostName: 'bar', hasAlias: false, addresses }).addresses).toEqual(['127.0.0.1', '::1']);
});

test('a host with hundreds of networks has a certificate of bounded size', () => {
  const addresses = Array.from({ length: 200 }, (_, at) => `172.17.${at}.1`);
  expect(ownNames({ hostName: 'bar', hasAlias: false, addresses }).addresses).toHaveLength(34);
});

test.each(['', 'two words', '-bar', 'b_r', '192.168.1.5', 'x'.repeat(64), 'bar..de', '*.local', 'bar\nx'])(
  'a host name %j is no name of a certificate',
  (hostName) => {
    expect(normalizeHostName(hostName)).toBeNull();
    expect(
      ownNames({ hostName, hasAlias: false, addresses: [] }).dns.every((name) => /^[a-z.]+$/.test(name)),
    ).toBe(true);
  },
);

test('an authority signs for local domains and the host alone', () => {
  expect(permittedDomains('bar')).toEqual(['local', 'home.arpa', 'localhost', 'bar']);
  expect(permittedDomains('bar.local')).toEqual(['local', 'home.arpa', 'localhost']);
  expect(permittedDomains('not a name')).toEqual(['local', 'home.arpa', 'localhost']);
});

test('after the host was renamed only its local name can be signed', () => {
  const names = ownNames({ hostName: 'pub', hasAlias: false, addresses: [] });
  expect(withinDomains(names, permittedDomains('bar')).dns).toEqual(['pub.local', 'localhost']);
});
