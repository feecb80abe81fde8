import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { readTextFile } from '../../system/small-files.ts';

/** Flag of an IPv6 address that the kernel replaces within a day (RFC 8981). */
const temporaryFlag = 0x01;

/**
 * The IP addresses of this machine, without temporary ones. Read from `/proc/net`, because the service's sandbox forbids the
 * netlink sockets that `networkInterfaces` needs; where there is no `/proc/net` from there.
 */
export function readOwnAddresses(
  directory = '/proc/net',
  interfaces: typeof networkInterfaces = networkInterfaces,
): readonly string[] {
  const v4 = readTextFile(join(directory, 'fib_trie'));
  const v6 = readTextFile(join(directory, 'if_inet6'));
  if (v4 === null) return listAddresses(interfaces);
  return [...new Set([...parseFibTrie(v4), ...parseIfInet6(v6 ?? '')])];
}

/** The local addresses in the kernel's routing table: an address, and below it `/32 host LOCAL`. */
function parseFibTrie(text: string): string[] {
  return [...text.matchAll(/\|-- (\d+\.\d+\.\d+\.\d+)\n\s+\/32 host LOCAL/g)].map(([, address]) => address!);
}

/** Lines of address, interface, prefix length, scope and flags in hexadecimal digits, and the name of the interface. */
function parseIfInet6(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [digits = '', , , , flags = ''] = line.trim().split(/\s+/);
    if (!/^[0-9a-f]{32}$/.test(digits) || (Number.parseInt(flags, 16) & temporaryFlag) !== 0) return [];
    return [shortenV6(digits.match(/.{4}/g)!.join(':'))];
  });
}

/** The short form: `fd00::1`. */
const shortenV6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1);

function listAddresses(interfaces: typeof networkInterfaces): string[] {
  try {
    return Object.values(interfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
  } catch {
    return [];
  }
}
