/** Rules for IP addresses: where messages may be sent to, and which addresses are one network. */

/** Why no message is sent to an address. */
export type BlockedReason = 'self' | 'unspecified' | 'link_local' | 'multicast' | 'reserved' | 'no_ip';

/** The same, after an address, as a part of an English sentence. */
export const blockedTexts: Readonly<Record<BlockedReason, string>> = {
  self: 'is this machine itself',
  unspecified: 'is unspecified',
  link_local: 'is link-local',
  multicast: 'is multicast',
  reserved: 'is broadcast or reserved',
  no_ip: 'is no IP address',
};

/**
 * Returns why no message may be sent to a resolved IP address, or null when it may: messages may go to the internet
 * and the bar's own network, but not to this machine. Loopback, link-local
 * (where cloud providers serve instance credentials), unspecified, multicast and broadcast addresses are
 * blocked, and those of this machine's interfaces, `ownAddresses`. Other private addresses are allowed. `address` is
 * plain text, IPv4 or IPv6, without brackets; a zone is ignored.
 */
export function blockedAddressReason(address: string, ownAddresses: readonly string[]): BlockedReason | null {
  const plain = withoutZone(address);
  const key = toAddressKey(plain);
  if (key !== null && ownAddresses.some((own) => toAddressKey(withoutZone(own)) === key)) return 'self';
  const v4 = parseV4(plain);
  if (v4 !== null) return blockedV4Reason(v4);
  const v6 = parseV6(plain);
  if (v6 === null) return 'no_ip';
  const inner = embeddedV4(v6);
  if (inner !== null) return blockedV4Reason(inner);
  const [first = 0] = v6;
  if (v6.every((word) => word === 0)) return 'unspecified';
  if (v6.slice(0, 7).every((word) => word === 0) && v6[7] === 1) return 'self';
  if ((first & 0xffc0) === 0xfe80) return 'link_local';
  if ((first & 0xff00) === 0xff00) return 'multicast';
  return null;
}

/**
 * The networks of an IP address, widest first: /16 and /24 of IPv4, /48 (a site) and /64 (a local network) of IPv6.
 * Text that is no IP address is a network of its own. `address` is plain text, without brackets; a zone is ignored.
 */
export function addressNetworks(address: string): readonly [wide: string, local: string] {
  const plain = withoutZone(address);
  const v4 = parseV4(plain);
  if (v4 !== null) return [v4.slice(0, 2).join('.'), v4.slice(0, 3).join('.')];
  const v6 = parseV6(plain)?.map((word) => word.toString(16));
  if (v6 === undefined) return [address, address];
  return [v6.slice(0, 3).join(':'), v6.slice(0, 4).join(':')];
}

/** True for an address of a private network or of this machine: those that no public authority signs for. */
export function isLocalAddress(address: string): boolean {
  const v4 = parseV4(address);
  if (v4 !== null) return isLocalV4(v4);
  const v6 = parseV6(address);
  if (v6 === null) return false;
  const [first = 0] = v6;
  return (first & 0xfe00) === 0xfc00 || (v6.slice(0, 7).every((word) => word === 0) && v6[7] === 1);
}

/** The bytes of an IP address, 4 or 16; null for anything else. */
export const toAddressBytes = (address: string): readonly number[] | null =>
  parseV4(address) ?? parseV6(address)?.flatMap((word) => [word >> 8, word & 255]) ?? null;

function isLocalV4([a = 0, b = 0]: readonly number[]): boolean {
  if (a === 10 || a === 127) return true;
  if (a === 100) return b >= 64 && b < 128;
  if (a === 169) return b === 254;
  return a === 172 ? b >= 16 && b < 32 : a === 192 && b === 168;
}

function blockedV4Reason([a, b]: readonly number[]): BlockedReason | null {
  if (a === 127) return 'self';
  if (a === 0) return 'unspecified';
  if (a === 169 && b === 254) return 'link_local';
  if (a !== undefined && a >= 224) return a < 240 ? 'multicast' : 'reserved';
  return null;
}

function parseV4(text: string): readonly number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) {
    return null;
  }
  return parts.map(Number);
}

/** Returns eight 16-bit words. */
function parseV6(text: string): readonly number[] | null {
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const v4 = tail === null ? null : parseV4(tail[2]!);
  if (tail !== null && v4 === null) return null;
  const whole =
    tail === null || v4 === null
      ? text
      : `${tail[1]}${((v4[0]! << 8) | v4[1]!).toString(16)}:${((v4[2]! << 8) | v4[3]!).toString(16)}`;
  const halves = whole.split('::');
  if (halves.length > 2) return null;
  const [head = [], rest] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - (rest?.length ?? 0);
  if (rest === undefined ? missing !== 0 : missing < 1) return null;
  const words = [
    ...head,
    ...Array.from({ length: rest === undefined ? 0 : missing }, () => '0'),
    ...(rest ?? []),
  ];
  return words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))
    ? words.map((word) => Number.parseInt(word, 16))
    : null;
}

/** The same for all spellings of an address; null for anything else. */
function toAddressKey(address: string): string | null {
  const v6 = parseV6(address);
  return (parseV4(address) ?? (v6 === null ? null : (embeddedV4(v6) ?? v6)))?.join(' ') ?? null;
}

/** Removes the zone (`%eth0`) of a link-local address. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '');

/** The IPv4 address in an IPv6 address: mapped, compatible, translated (NAT64, also local), 6to4; null without one. */
function embeddedV4(words: readonly number[]): readonly number[] | null {
  const bytes = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255];
  const zeros = (count: number) => words.slice(0, count).every((word) => word === 0);
  const last = bytes(words[6]!, words[7]!);
  if (zeros(5) && words[5] === 0xffff) return last;
  if (zeros(4) && words[4] === 0xffff && words[5] === 0) return last;
  if (zeros(6) && (words[6] !== 0 || words[7]! > 1)) return last;
  if (words[0] === 0x64 && words[1] === 0xff9b) return last;
  if (words[0] === 0x2002) return bytes(words[1]!, words[2]!);
  return null;
}
