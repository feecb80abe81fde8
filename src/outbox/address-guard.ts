import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import { type BlockedReason, blockedAddressReason } from '../core/network/address-rules.ts';

/** The target has no permitted address. */
export class ForbiddenAddress extends Error {
  readonly reason: BlockedReason | 'no_address';

  constructor(reason: BlockedReason | 'no_address') {
    super(`Nothing is sent to this address (${reason}).`);
    this.name = 'ForbiddenAddress';
    this.reason = reason;
  }
}

/** Resolves a host name; tests replace the system's resolver. */
export type ResolveHost = (
  host: string,
  done: (fault: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const resolveWithSystem: ResolveHost = (host, done) =>
  lookup(host, { all: true }, (fault, addresses) => done(fault, addresses ?? []));

/** Reads the addresses of this machine's interfaces; tests replace them. */
export type OwnAddresses = () => readonly string[];

type Answer = (
  fault: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/**
 * A `lookup` for sockets that returns only permitted addresses. It runs at each connection, so that a name
 * that was harmless when it was set cannot point to a local address later (DNS rebinding), and an address that this
 * machine got meanwhile is blocked.
 */
export function guardedLookup(own: OwnAddresses, resolveHost: ResolveHost = resolveWithSystem) {
  return (host: string, options: { all?: boolean | undefined }, answer: Answer): void => {
    resolveHost(host, (fault, found) => {
      if (fault) return answer(fault, []);
      const ownNow = own();
      const allowed = found.filter(({ address }) => blockedAddressReason(address, ownNow) === null);
      const [first] = allowed;
      if (first === undefined) {
        const reason =
          found[0] === undefined ? 'no_address' : blockedAddressReason(found[0].address, ownNow)!;
        return answer(new ForbiddenAddress(reason), []);
      }
      return options.all === true ? answer(null, allowed) : answer(null, first.address, first.family);
    });
  };
}

/** Why a host that is a literal address is blocked, since sockets do not look it up; else null. */
export function findLiteralProblem(hostname: string, own: OwnAddresses): BlockedReason | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : blockedAddressReason(host, own());
}
