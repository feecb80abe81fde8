import { type NetworkInterfaceInfo, networkInterfaces, hostname as readHostName } from 'node:os';
import { join } from 'node:path';
import { normalizeHostName, toLocalName } from '../core/certificates/certificate-names.ts';
import { readTextFile } from './small-files.ts';

/**
 * The only module that asks the system for the addresses of this machine. They are read from `/proc/net`, because the service's
 * sandbox forbids netlink sockets, which `networkInterfaces` of `node:os` needs (error 97); where there is no `/proc/net`, from
 * there. Nothing is kept: an address may come minutes after the start. Nothing throws.
 */

/** Where the addresses are read; tests name others. */
export interface AddressSources {
  /** Files as the kernel's `/proc/net`. */
  readonly directory?: string;
  readonly interfaces?: () => NodeJS.Dict<NetworkInterfaceInfo[]>;
  readonly hostName?: () => string;
}

/** Where a server listens. */
export interface Listening {
  readonly scheme?: 'http' | 'https';
  /** The configured address; `0.0.0.0` and `::` are every address. */
  readonly host: string;
  readonly port: number;
}

interface OwnAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Null when it is not known. */
  readonly interfaceName: string | null;
  /** The kernel replaces it within a day (RFC 8981). */
  readonly isTemporary: boolean;
  /** Not usable yet, or not for new connections any more. */
  readonly isUnusable: boolean;
}

/** Flags of an IPv6 address (`linux/if_addr.h`). */
const flags = { temporary: 0x01, failed: 0x08, deprecated: 0x20, tentative: 0x40 } as const;

/** Interfaces of containers, virtual machines and tunnels: a phone in the bar does not reach them. */
const virtualInterface =
  /^(?:docker|br-|veth|virbr|vnet|vmnet|vboxnet|lxc|lxdbr|cni|flannel|podman|tun|tap|wg|tailscale|zt|dummy)/;

/** Every IPv4 and IPv6 address of the interfaces of this machine now, loopback included, without zones. */
export const ownAddresses = (sources: AddressSources = {}): readonly string[] =>
  toTexts(readAddresses(sources));

/** The same without addresses that the kernel replaces within a day, which no certificate should name. */
export const lastingAddresses = (sources: AddressSources = {}): readonly string[] =>
  toTexts(readAddresses(sources).filter(({ isTemporary }) => !isTemporary));

/**
 * The URLs by which other machines reach a server of this machine, the most useful first: addresses of the network that leads out,
 * the name in the local network, then what fewer devices can use. Empty when only this machine reaches it.
 */
export function reachableUrls(
  { scheme = 'http', host, port }: Listening,
  sources: AddressSources = {},
): readonly string[] {
  const toUrl = (name: string): string => `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}/`;
  const isEvery = host === '0.0.0.0' || host === '::' || host === '';
  if (!isEvery) return isLoopback(host) ? [] : [toUrl(host)];
  const found = readAddresses(sources).filter(isForOthers);
  const ranks = rankInterfaces(sources);
  const v4 = found.filter(({ family }) => family === 4).map((one) => ({ ...one, rank: ranks(one) }));
  const byRank = (wanted: (rank: number) => boolean): string[] =>
    v4
      .filter(({ rank }) => wanted(rank))
      .sort((a, b) => a.rank - b.rank)
      .map(({ address }) => address);
  // A socket for every IPv4 address has no IPv6 address.
  const v6 =
    host === '0.0.0.0' ? [] : found.filter(({ family, isTemporary }) => family === 6 && !isTemporary);
  const names = [
    ...byRank((rank) => rank < worstUsualRank),
    ...localName(sources),
    ...byRank((rank) => rank >= worstUsualRank),
    ...v6.map(({ address }) => address),
  ];
  // The kernel lists an address once for each routing table.
  return [...new Set(names)].map(toUrl);
}

/** The URL by which programs on this machine reach the server. */
export function localUrl({ scheme = 'http', host, port }: Listening): string {
  const isEvery = host === '0.0.0.0' || host === '::' || host === '';
  const name = isEvery ? 'localhost' : host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}/`;
}

/** From this rank on an address is named after the host name. */
const worstUsualRank = 2;

/** Ranks an IPv4 address: 0 in the network of the default route, 1 in another, 2 of a virtual interface, 3 link-local. */
function rankInterfaces({ directory = '/proc/net' }: AddressSources): (one: OwnAddress) => number {
  const routes = parseRoutes(readTextFile(join(directory, 'route')) ?? '');
  const leadsOut = new Set(
    routes.filter(({ network, mask }) => network === 0 && mask === 0).map(({ name }) => name),
  );
  return ({ address, interfaceName }) => {
    if (address.startsWith('169.254.')) return 3;
    const number = toNumber(address);
    const route = routes.find(({ network, mask }) => mask !== 0 && (number & mask) >>> 0 === network);
    const name = interfaceName ?? route?.name ?? null;
    if (name === null) return 1;
    if (virtualInterface.test(name)) return 2;
    return leadsOut.has(name) ? 0 : 1;
  };
}

/** Lines of interface, destination, gateway, flags, three numbers and mask; the addresses are little-endian in hexadecimal digits. */
function parseRoutes(text: string) {
  return text.split('\n').flatMap((line) => {
    const [name = '', network = '', , , , , , mask = ''] = line.trim().split(/\s+/);
    if (!/^[0-9A-F]{8}$/i.test(network) || !/^[0-9A-F]{8}$/i.test(mask)) return [];
    return [{ name, network: swapBytes(network), mask: swapBytes(mask) }];
  });
}

const swapBytes = (digits: string): number => Buffer.from(digits, 'hex').readUInt32LE();
const toNumber = (address: string): number => Buffer.from(address.split('.').map(Number)).readUInt32BE();

/** The host's name in the local network (mDNS); none for a name that no other machine can find. */
function localName({ hostName = readHostName }: AddressSources): readonly string[] {
  const name = normalizeHostName(hostName());
  return name === null || name === 'localhost' ? [] : [toLocalName(name)];
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

/** A link-local IPv6 address needs a zone, which no URL has. */
const isForOthers = ({ address, isUnusable }: OwnAddress): boolean =>
  !isLoopback(address) && !isUnusable && !/^fe[89ab]/.test(address);

function readAddresses({ directory = '/proc/net', interfaces = networkInterfaces }: AddressSources) {
  const v4 = readTextFile(join(directory, 'fib_trie'));
  const v6 = readTextFile(join(directory, 'if_inet6'));
  return v4 === null ? listAddresses(interfaces) : [...parseFibTrie(v4), ...parseIfInet6(v6 ?? '')];
}

/** The local addresses in the kernel's routing tables: an address, and below it `/32 host LOCAL`. */
function parseFibTrie(text: string): OwnAddress[] {
  return [...text.matchAll(/\|-- (\d+\.\d+\.\d+\.\d+)\n\s+\/32 host LOCAL/g)].map(([, address]) => ({
    address: address!,
    family: 4,
    interfaceName: null,
    isTemporary: false,
    isUnusable: false,
  }));
}

/** Lines of address, interface, prefix length, scope and flags in hexadecimal digits, and the name of the interface. */
function parseIfInet6(text: string): OwnAddress[] {
  return text.split('\n').flatMap((line) => {
    const [digits = '', , , , flagDigits = '', name = ''] = line.trim().split(/\s+/);
    if (!/^[0-9a-f]{32}$/.test(digits)) return [];
    const has = (flag: number): boolean => (Number.parseInt(flagDigits, 16) & flag) !== 0;
    return [
      {
        address: shortenV6(digits.match(/.{4}/g)!.join(':')),
        family: 6,
        interfaceName: name,
        isTemporary: has(flags.temporary),
        isUnusable: has(flags.failed | flags.deprecated | flags.tentative),
      },
    ];
  });
}

/** The short form: `fd00::1`. */
const shortenV6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

function listAddresses(interfaces: NonNullable<AddressSources['interfaces']>): OwnAddress[] {
  try {
    return Object.entries(interfaces()).flatMap(([interfaceName, list]) =>
      (list ?? []).map(({ address, family }) => ({
        address,
        family: family === 'IPv6' ? 6 : 4,
        interfaceName,
        isTemporary: false,
        isUnusable: false,
      })),
    );
  } catch {
    return [];
  }
}

const toTexts = (addresses: readonly OwnAddress[]): readonly string[] => [
  ...new Set(addresses.map(({ address }) => address)),
];
