import { BlockList, isIP } from 'node:net';

/** An address, or a range of addresses that share their first bits. */
interface AddressRange {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Parses `192.168.1.7`, `192.168.1.0/24` or `fd00::/8`; null for anything else. */
export function parseAddressRange(text: string): AddressRange | null {
  const [, address = '', digits] = /^([^/%]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return null;
  const bits = version === 4 ? 32 : 128;
  const prefix = digits === undefined ? bits : Number(digits);
  return prefix > bits ? null : { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
}

/** Returns whether an address is in one of the ranges. An IPv4 address written as IPv6 is the IPv4 address. */
export function createAddressRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseAddressRange(text);
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
}
