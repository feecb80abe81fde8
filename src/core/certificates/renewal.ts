import type { Moment } from '../clock/moment.ts';
import type { CertificateNames } from './certificate-names.ts';

const dayMs = 86_400_000;

/** Apple accepts up to 825 days from an authority that a person installed, others 398. */
export const serverDays = 397;

/** The authority is installed by hand on every phone, so it lasts as long as the Pi. */
export const authorityDays = 3_653;

/** Certificates are valid from a day ago, for devices whose clocks are late. */
export const backdatedMs = dayMs;

/** The server's certificate is renewed when this much of its time is left: two months of a Pi that is switched off. */
export const renewalLeftMs = 60 * dayMs;

/** From when on something in a certificate is valid, until when, Unix milliseconds. */
export interface Validity {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Why a certificate is made: there is none, it is out of date, its end is near, a name or an address is missing. */
export type RenewalReason = 'missing' | 'invalid_now' | 'ends_soon' | 'names';

/** What to make now; null for nothing. A new authority always needs a new certificate of the server. */
export interface RenewalPlan {
  readonly authority: 'missing' | 'expired' | null;
  readonly server: RenewalReason | null;
}

/**
 * Decides what to make. Nothing while the clock is not trusted: the certificates would be dated wrongly, and browsers would
 * refuse them. Names that are no longer used stay until the next renewal, so that a Pi between two networks is not renewed
 * at every change.
 */
export function planRenewal({
  authority,
  server,
  wanted,
  now,
}: {
  readonly authority: Validity | null;
  readonly server: (Validity & { readonly names: CertificateNames }) | null;
  /** Those of the names that the authority may sign. */
  readonly wanted: CertificateNames;
  readonly now: Moment;
}): RenewalPlan {
  if (!now.synced) return { authority: null, server: null };
  if (authority === null) return { authority: 'missing', server: 'missing' };
  if (now.wallMs >= authority.toMs) return { authority: 'expired', server: 'missing' };
  // Made under a later date, so one of the dates is wrong; devices trust it and it stays.
  if (now.wallMs < authority.fromMs) return { authority: null, server: null };
  if (server === null) return { authority: null, server: 'missing' };
  if (!isValidAt(server, now.wallMs)) return { authority: null, server: 'invalid_now' };
  if (lacksNames(server.names, wanted)) return { authority: null, server: 'names' };
  // Near the end of the authority a new certificate would end with it, too.
  const canLastLonger = authority.toMs > server.toMs;
  const endsSoon = server.toMs - now.wallMs < renewalLeftMs && canLastLonger;
  return { authority: null, server: endsSoon ? 'ends_soon' : null };
}

/** The validity of a new authority. */
export const authorityValidity = (nowMs: number): Validity => lasting(nowMs, authorityDays);

/** The validity of a new certificate of the server, which ends with its authority at the latest. */
export function serverValidity(nowMs: number, authority: Validity): Validity {
  const { fromMs, toMs } = lasting(nowMs, serverDays);
  return { fromMs: Math.max(fromMs, authority.fromMs), toMs: Math.min(toMs, authority.toMs) };
}

/** True if something is valid at a time, Unix milliseconds. */
export const isValidAt = ({ fromMs, toMs }: Validity, atMs: number): boolean => fromMs <= atMs && atMs < toMs;

/** Certificates have whole seconds. */
function lasting(nowMs: number, days: number): Validity {
  const fromMs = Math.floor((nowMs - backdatedMs) / 1_000) * 1_000;
  return { fromMs, toMs: fromMs + days * dayMs };
}

const lacksNames = (has: CertificateNames, wanted: CertificateNames): boolean =>
  wanted.dns.some((name) => !has.dns.includes(name)) ||
  wanted.addresses.some((address) => !has.addresses.includes(address));
