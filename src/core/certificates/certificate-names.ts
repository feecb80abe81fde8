import { isLocalAddress } from '../network/address-rules.ts';

/** The names and IP addresses of a certificate, each once and in order. */
export interface CertificateNames {
  readonly dns: readonly string[];
  readonly addresses: readonly string[];
}

/** Names that every certificate has, with the loopback addresses. */
const loopbackName = 'localhost';
const loopbackAddresses: readonly string[] = ['127.0.0.1', '::1'];

/** The optional second name of a machine in its network. */
export const aliasName = 'tapster.local';

/** More addresses than any Pi has; containers may add hundreds of interfaces. */
const maxAddresses = 32;

/** Domains below which the authority may sign any name: names of the local network, which nobody can own. */
const localDomains: readonly string[] = ['local', 'home.arpa', loopbackName];

/** A host name of letters, digits and hyphens, with or without a domain. */
const hostNamePattern =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Returns the host's own name in lower case; null when it cannot be in a certificate. */
export function normalizeHostName(hostName: string): string | null {
  const name = hostName.trim().toLowerCase().replace(/\.$/, '');
  return hostNamePattern.test(name) && !/^[\d.]+$/.test(name) ? name : null;
}

/** The name by which the host is announced in its network (mDNS): `bar.local` for `bar` and for `bar.example`. */
export const toLocalName = (hostName: string): string => `${hostName.split('.', 1)[0]}.local`;

/**
 * The names under which browsers in the bar's network reach this machine. Only addresses of local networks: the authority
 * may sign no others, and a public IPv6 address changes daily.
 */
export function ownNames({
  hostName,
  hasAlias,
  addresses,
}: {
  readonly hostName: string;
  /** True if `tapster.local` leads to this machine, too. */
  readonly hasAlias: boolean;
  /** Addresses of the network interfaces, without zones. */
  readonly addresses: readonly string[];
}): CertificateNames {
  const host = normalizeHostName(hostName);
  const dns = [
    ...(host === null ? [] : [toLocalName(host), host]),
    ...(hasAlias ? [aliasName] : []),
    loopbackName,
  ];
  const local = [...new Set(addresses.map((address) => address.toLowerCase()))].filter(isLocalAddress).sort();
  return {
    dns: [...new Set(dns)],
    addresses: [...new Set([...local.slice(0, maxAddresses), ...loopbackAddresses])],
  };
}

/** The domains for which an authority may sign; `hostName` is the host's name when the authority is made. */
export function permittedDomains(hostName: string): readonly string[] {
  const host = normalizeHostName(hostName);
  if (host === null || isBelow(host, localDomains)) return localDomains;
  return [...localDomains, host];
}

/** The networks for which an authority may sign: private, link-local and loopback, as address and prefix length. */
export const permittedNetworks: readonly (readonly [address: string, prefix: number])[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
];

/** The names that an authority with these domains may sign; browsers refuse a certificate with any other. */
export const withinDomains = (
  { dns, addresses }: CertificateNames,
  domains: readonly string[],
): CertificateNames => ({ dns: dns.filter((name) => isBelow(name, domains)), addresses });

const isBelow = (name: string, domains: readonly string[]): boolean =>
  domains.some((domain) => name === domain || name.endsWith(`.${domain}`));
