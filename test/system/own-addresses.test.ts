import { mkdtempSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type AddressSources,
  lastingAddresses,
  localUrl,
  ownAddresses,
  reachableUrls,
} from '../../src/system/own-addresses.ts';

const refuse = () => {
  throw new Error('uv_interface_addresses returned Unknown system error 97');
};

/** A folder as `/proc/net` of a Pi with these addresses; netlink is forbidden as in the sandbox of the service. */
function createSources({
  v4 = ['127.0.0.1'],
  v6 = '',
  routes = '',
}: {
  readonly v4?: readonly string[];
  readonly v6?: string;
  readonly routes?: string;
}): AddressSources {
  const directory = mkdtempSync(join(tmpdir(), 'tapster-net-'));
  const local = v4.map((address) => `           |-- ${address}\n              /32 host LOCAL\n`).join('');
  const fibTrie = `Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n${local}        |-- 192.168.1.255\n           /32 link BROADCAST\nLocal:\n${local}`;
  writeFileSync(join(directory, 'fib_trie'), fibTrie);
  writeFileSync(join(directory, 'if_inet6'), v6);
  const head = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n';
  writeFileSync(join(directory, 'route'), `${head}${routes}`);
  return { directory, interfaces: refuse, hostName: () => 'Bar' };
}

const v6 = `fd000000000000000000000000000002 04 40 00 80     eth0
fd00000000000000123456789abcdef0 04 40 00 01     eth0
fd000000000000000000000000000003 04 40 00 40     eth0
fe80000000000000000000000000000a 04 40 20 80     eth0
00000000000000000000000000000001 01 80 10 80       lo
`;
const route = (name: string, network: string, mask: string): string =>
  `${name}\t${network}\t00000000\t0001\t0\t0\t100\t${mask}\t0\t0\t0\n`;
const every = { host: '0.0.0.0', port: 8080 };

test('every address of the interfaces is read where the sandbox forbids netlink, temporary and loopback ones too', () => {
  expect(ownAddresses(createSources({ v4: ['127.0.0.1', '192.168.1.5'], v6 }))).toEqual([
    ...['127.0.0.1', '192.168.1.5', 'fd00::2', 'fd00::1234:5678:9abc:def0', 'fd00::3', 'fe80::a', '::1'],
  ]);
});

test('a certificate names no temporary address', () => {
  expect(lastingAddresses(createSources({ v6 }))).not.toContain('fd00::1234:5678:9abc:def0');
});

test('a system without /proc/net asks its interfaces; one that refuses has none', () => {
  const eth0 = [{ address: '10.0.0.2', family: 'IPv4' }] as never;
  expect(ownAddresses({ directory: '/missing', interfaces: () => ({ eth0 }) })).toEqual(['10.0.0.2']);
  expect(ownAddresses({ directory: '/missing', interfaces: refuse })).toEqual([]);
});

test('what Node.js finds outside of a sandbox is found in /proc/net', () => {
  const found = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  expect(found).toContain('127.0.0.1');
  expect(ownAddresses()).toEqual(expect.arrayContaining(found));
});

test('the address in the network that leads out comes first, those of containers and tunnels after the name', () => {
  const sources = createSources({
    v4: ['127.0.0.1', '10.8.0.2', '169.254.7.7', '172.17.0.1', '192.168.1.5', '192.168.7.5'],
    v6,
    routes: [
      route('tun0', '0000080A', '00FFFFFF'),
      route('docker0', '000011AC', '0000FFFF'),
      route('eth0', '0007A8C0', '00FFFFFF'),
      route('wlan0', '0001A8C0', '00FFFFFF'),
      route('wlan0', '00000000', '00000000'),
    ].join(''),
  });
  const urls = [
    ...['http://192.168.1.5:8080/', 'http://192.168.7.5:8080/', 'http://bar.local:8080/'],
    ...['http://10.8.0.2:8080/', 'http://172.17.0.1:8080/', 'http://169.254.7.7:8080/'],
  ];
  expect(reachableUrls(every, sources)).toEqual(urls);
  expect(reachableUrls({ host: '::', port: 8080 }, sources)).toEqual([...urls, 'http://[fd00::2]:8080/']);
});

test('without an address in a network only the name is left; an address that comes later is found', () => {
  const sources = createSources({});
  expect(reachableUrls(every, sources)).toEqual(['http://bar.local:8080/']);
  const later = createSources({ v4: ['127.0.0.1', '192.168.1.5'] });
  writeFileSync(join(sources.directory!, 'fib_trie'), '|-- 192.168.1.5\n   /32 host LOCAL\n');
  expect(reachableUrls(every, sources)).toEqual(reachableUrls(every, later));
});

test.each(['localhost', ''])('the host name "%s" leads nobody to this machine', (name) => {
  expect(reachableUrls(every, { ...createSources({}), hostName: () => name })).toEqual([]);
});

test('a server that listens on one address has only that, and on a loopback address none for others', () => {
  expect(reachableUrls({ host: '192.168.1.7', port: 80 })).toEqual(['http://192.168.1.7:80/']);
  expect(reachableUrls({ scheme: 'https', host: 'fd00::7', port: 8443 })).toEqual([
    'https://[fd00::7]:8443/',
  ]);
  for (const host of ['127.0.0.1', 'localhost', '::1']) expect(reachableUrls({ host, port: 80 })).toEqual([]);
});

test('programs of this machine use the address that the server listens on', () => {
  expect(localUrl(every)).toBe('http://localhost:8080/');
  expect(localUrl({ host: '::', port: 80 })).toBe('http://localhost:80/');
  expect(localUrl({ host: '::1', port: 8080 })).toBe('http://[::1]:8080/');
});
