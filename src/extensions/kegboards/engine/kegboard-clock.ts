import { type Moment, momentAt } from '../../../core/clock/moment.ts';

/** Readings and presentments of boards are queued in memory, so that none is older than their uptime. */
const maxAgeMs = 30 * 24 * 3_600_000;

/** Limits an age to thirty days. */
const clampAge = (ageMs: number): number => Math.min(ageMs, maxAgeMs);

/** The moment `ageMs` ago, not before 1970, since an unset clock may start there. */
export function momentAgo(now: Moment, ageMs: number): Moment {
  const then = momentAt(now, now.monoMs - clampAge(ageMs));
  return { ...then, wallMs: Math.max(0, then.wallMs) };
}
