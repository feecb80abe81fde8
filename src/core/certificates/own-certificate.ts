import type { Moment } from '../clock/moment.ts';
import { createProblem, type Problem } from '../health/problems.ts';
import type { Validity } from './renewal.ts';

/** A certificate that is not renewed by Tapster is reported this long before it ends: time to get a new one. */
const reportedBeforeMs = 21 * 86_400_000;

const dayMs = 86_400_000;

/** The problem of the bar's own certificate at a time; null without one. Without a trusted clock its dates are not checked. */
export function validityProblem({ fromMs, toMs }: Validity, now: Moment): Problem | null {
  if (!now.synced) return null;
  if (now.wallMs >= toMs) return createProblem('https_certificate_expired');
  if (now.wallMs < fromMs) return createProblem('https_certificate_not_yet');
  if (toMs - now.wallMs >= reportedBeforeMs) return null;
  return createProblem('https_certificate_ends', { days: Math.floor((toMs - now.wallMs) / dayMs) });
}

/** Longer than any chain of certificates; a longer file is none. */
export const maxPemBytes = 65_536;

const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+?-----END CERTIFICATE-----/g;

/** The certificates in a text in PEM, in order: that of the server first, then those that lead to its authority. */
export const splitPem = (text: string): readonly string[] => text.match(block) ?? [];
