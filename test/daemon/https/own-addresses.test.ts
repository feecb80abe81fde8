import { mkdtempSync, writeFileSync } from 'node:fs';
import type { NetworkInterfaceInfo } from 'node:os';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOwnAddresses } from '../../../src/daemon/https/own-addresses.ts';

const fibTrie = `Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 127.0.0.0/8 2 0 2
           |-- 127.0.0.1
              /32 host LOCAL
     +-- 192.168.1.0/24 2 0 2
           |-- 192.168.1.5
              /32 host LOCAL
        |-- 192.168.1.255
           /32 link BROADCAST
Local:
           |-- 192.168.1.5
              /32 host LOCAL
`;

const ifInet6 = `fd000000000000000000000000000002 04 40 00 80     eth0
fd00000000000000123456789abcdef0 04 40 00 01     eth0
00000000000000000000000000000001 01 80 10 80       lo
`;

test('addresses are read where the sandbox forbids netlink, without temporary ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-net-'));
  writeFileSync(join(folder, 'fib_trie'), fibTrie);
  writeFileSync(join(folder, 'if_inet6'), ifInet6);
  expect(readOwnAddresses(folder)).toEqual(['127.0.0.1', '192.168.1.5', 'fd00::2', '::1']);
});

test('a system without /proc/net asks its interfaces; one that refuses has none', () => {
  const eth0 = [{ address: '10.0.0.2' }] as NetworkInterfaceInfo[];
  expect(readOwnAddresses('/missing', () => ({ eth0 }))).toEqual(['10.0.0.2']);
  const refuse = () => {
    throw new Error('EAFNOSUPPORT');
  };
  expect(readOwnAddresses('/missing', refuse)).toEqual([]);
});

test('the addresses of this machine contain the loopback address', () => {
  expect(readOwnAddresses()).toContain('127.0.0.1');
});
