import { type Moment, momentAt } from '../../core/moment.ts';

/** Boards queue in memory, so nothing is older than their uptime; what claims to be is cut to thirty days. */
const maxAgeMs = 30 * 24 * 3_600_000;

/** An age within what can be. */
export const clampAge = (ageMs: number): number => Math.min(ageMs, maxAgeMs);

/** The moment `ageMs` ago. Never before 1970, where an unset clock may begin. */
export function momentAgo(now: Moment, ageMs: number): Moment {
  const then = momentAt(now, now.monoMs - clampAge(ageMs));
  return { ...then, wallMs: Math.max(0, then.wallMs) };
}
