import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addressNetworks,
  blockedAddressReason,
  isLocalAddress,
} from '../../../src/core/network/address-rules.ts';

test.each([
  '192.168.1.20',
  '10.0.0.5',
  '172.16.0.1',
  '100.64.0.1',
  '93.184.216.34',
  'fd00::20',
  '2001:db8::1',
  '::ffff:192.168.1.20',
  '2606:2800:220:1:248:1893:25c8:1946',
])('allows messages to %s', (address) => {
  expect(blockedAddressReason(address, [])).toBeNull();
});

test.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '169.254.169.254',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'febf::1',
  'ff02::1',
  'localhost',
  '127.1',
  '0177.0.0.1',
  '1::2::3',
  ':::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  'g::1',
  '',
])('blocks messages to %j', (address) => {
  expect(blockedAddressReason(address, [])).not.toBeNull();
});

const byte = fc.integer({ min: 0, max: 255 });

test('judges an IPv4 address alike in all its IPv6 embeddings', () => {
  fc.assert(
    fc.property(byte, byte, byte, byte, (a, b, c, d) => {
      const plain = `${a}.${b}.${c}.${d}`;
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      for (const clothed of [`::ffff:${plain}`, `::ffff:${hex}`, `64:ff9b::${plain}`, `2002:${hex}::1`]) {
        expect(blockedAddressReason(clothed, [])).toBe(blockedAddressReason(plain, []));
      }
    }),
  );
});

test('judges an IPv6 address alike in all its spellings', () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const why = blockedAddressReason(text, []);
      expect(blockedAddressReason(text.toUpperCase(), [])).toBe(why);
      // The platform's own spelling is parsed too.
      const written = new URL(`http://[${text}]/`).hostname.slice(1, -1);
      expect(blockedAddressReason(written, [])).toBe(why);
    }),
  );
});

const own = ['127.0.0.1', '192.168.1.7', 'fd00::7', '2001:db8::7', 'fe80::7%eth0', '::1'];

test.each([
  '192.168.1.7',
  '::ffff:192.168.1.7',
  '::ffff:c0a8:107',
  '::192.168.1.7',
  '64:ff9b::192.168.1.7',
  '2002:c0a8:107::1',
  'fd00::7',
  'FD00:0:0:0:0:0:0:7',
  'fd00::7%eth0',
  '2001:db8::7',
  'fe80::7',
  'fe80::7%eth0',
])('blocks messages to %s, which is an address of this machine', (address) => {
  expect(blockedAddressReason(address, own)).toBe('self');
});

test.each(['192.168.1.8', '::ffff:192.168.1.8', 'fd00::8', '2001:db8::7:0'])(
  'allows messages to %s beside the addresses of this machine',
  (address) => {
    expect(blockedAddressReason(address, own)).toBeNull();
  },
);

test.each([
  ...[
    '10.0.0.1',
    '127.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.1.1',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.168.1.7', 'fc00::1', 'fdff::1', '::1', '0:0:0:0:0:0:0:1'],
])('no public authority signs for %s', (address) => expect(isLocalAddress(address)).toBe(true));

test.each([
  ...['11.0.0.1', '100.63.255.255', '100.128.0.1', '169.253.1.1', '172.15.0.1', '172.32.0.1', '192.169.1.7'],
  ...['fb00::1', 'fe00::1', '::2', '1::1', '2001:db8::1', 'bar.local', ''],
])('%j is no address of a private network', (address) => expect(isLocalAddress(address)).toBe(false));

test.each([
  ['192.168.1.20', ['192.168', '192.168.1']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1', '2001:db8:1:2']],
  ['2001:DB8::6', ['2001:db8:0', '2001:db8:0:0']],
  ['fe80::1%eth0', ['fe80:0:0', 'fe80:0:0:0']],
  ['no address', ['no address', 'no address']],
])('%s belongs to the networks %j', (address, networks) => {
  expect(addressNetworks(address)).toEqual(networks);
});
