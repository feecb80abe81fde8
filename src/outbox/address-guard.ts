import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { blockedAddressReason } from '../core/address-rules.ts';

/** A target that leads back into the house, or nowhere. */
export class ForbiddenAddress extends Error {
  constructor(host: string, reason: string) {
    super(`${host} ${reason}, and nothing is sent there.`);
    this.name = 'ForbiddenAddress';
  }
}

/** Finds a host's addresses; the system's own way but for tests. */
export type FindAddresses = (
  host: string,
  done: (fault: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

export const systemAddresses: FindAddresses = (host, done) =>
  lookup(host, { all: true }, (fault, addresses) => done(fault, addresses ?? []));

type Answer = (
  fault: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for sockets that gives only addresses something may be sent to. It is asked at the moment of connecting, so
 * that a name which was harmless when it was checked cannot lead elsewhere when it is used.
 */
export function guardedLookup(find: FindAddresses = systemAddresses) {
  return (host: string, options: { all?: boolean | undefined }, answer: Answer): void => {
    find(host, (fault, found) => {
      if (fault) return answer(fault, []);
      const allowed = found.filter(({ address }) => blockedAddressReason(withoutZone(address)) === null);
      const [first] = allowed;
      if (first === undefined) {
        const reason =
          found[0] === undefined ? 'has no address' : blockedAddressReason(withoutZone(found[0].address))!;
        return answer(new ForbiddenAddress(host, reason), []);
      }
      return options.all === true ? answer(null, allowed) : answer(null, first.address, first.family);
    });
  };
}

/** Why nothing may be sent to a host that is an address itself, which no lookup is asked for; else null. */
export function findLiteralProblem(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : blockedAddressReason(withoutZone(host));
}

/** Without the zone that says by which wire a link-local neighbour is reached. */
const withoutZone = (address: string): string => address.replace(/%.*$/, '');
