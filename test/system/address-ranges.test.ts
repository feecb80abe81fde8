import { expect, test } from 'vitest';
import { createAddressRanges, parseAddressRange } from '../../src/system/address-ranges.ts';

test.each([
  ['192.168.1.7', { address: '192.168.1.7', prefix: 32, family: 'ipv4' }],
  ['192.168.1.0/24', { address: '192.168.1.0', prefix: 24, family: 'ipv4' }],
  ['0.0.0.0/0', { address: '0.0.0.0', prefix: 0, family: 'ipv4' }],
  ['fd00::/8', { address: 'fd00::', prefix: 8, family: 'ipv6' }],
  ['::1', { address: '::1', prefix: 128, family: 'ipv6' }],
])('%s is an address or a range', (text, range) => {
  expect(parseAddressRange(text)).toEqual(range);
});

test.each([
  '',
  'bar',
  '192.168.1',
  '192.168.1.0/33',
  '10.0.0.0/08',
  '10.0.0.0/',
  'fe80::1%eth0',
  '10.0.0.0/8/8',
])('“%s” is none', (text) => {
  expect(parseAddressRange(text)).toBeNull();
});

test('an address is found in its range only, also as an IPv4 address written as IPv6', () => {
  const isListed = createAddressRanges(['192.168.1.0/24', 'fd00::/8']);
  expect(isListed('192.168.1.200')).toBe(true);
  expect(isListed('::ffff:192.168.1.200')).toBe(true);
  expect(isListed('192.168.2.1')).toBe(false);
  expect(isListed('fd12::1')).toBe(true);
  expect(isListed('fe80::1%eth0')).toBe(false);
  expect(isListed('')).toBe(false);
});
