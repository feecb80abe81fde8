import { type Moment, momentAt } from '../../core/moment.ts';

/** Boards queue in memory, so nothing is older than their uptime; what claims to be is cut to thirty days. */
const oldestMs = 30 * 24 * 3_600_000;

/** An age within what can be. */
export const ageIn = (ageMs: number): number => Math.min(ageMs, oldestMs);

/** The moment `ageMs` ago. Never before 1970, where an unset clock may begin. */
export function momentAgo(now: Moment, ageMs: number): Moment {
  const then = momentAt(now, now.monoMs - ageIn(ageMs));
  return { ...then, wallMs: Math.max(0, then.wallMs) };
}
