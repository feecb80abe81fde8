import type { Moment } from '../../../core/clock/moment.ts';
import { toPauseMs } from '../../../core/users/pin-rules.ts';

/** How long wrong PINs count after the last of them, milliseconds. */
const retentionMs = 3_600_000;
/** More than the tablets or staff of any bar. */
const maxEntries = 1_000;

interface Failures {
  readonly count: number;
  readonly lastMonoMs: number;
}

/**
 * Counts wrong PINs in a row, of tablets or of accounts, and the resulting pauses. Kept in memory with the
 * monotonic clock: setting the time shortens no pause.
 */
export class PinThrottle {
  readonly #failures = new Map<number, Failures>();

  /** Time until the next attempt is allowed, milliseconds; 0: now. */
  waitMs(id: number, now: Moment): number {
    const failures = this.#findFailures(id, now);
    return failures === null ? 0 : Math.max(0, failures.lastMonoMs + toPauseMs(failures.count) - now.monoMs);
  }

  /** Counts a failure before the PIN is checked, so that parallel attempts cannot avoid the pause. */
  recordFailure(id: number, now: Moment): void {
    const count = (this.#findFailures(id, now)?.count ?? 0) + 1;
    this.#failures.delete(id);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= maxEntries && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(id, { count, lastMonoMs: now.monoMs });
  }

  /** Forgets failures after a correct PIN or password. */
  reset(id: number): void {
    this.#failures.delete(id);
  }

  #findFailures(id: number, now: Moment): Failures | null {
    const failures = this.#failures.get(id);
    return failures !== undefined && now.monoMs - failures.lastMonoMs < retentionMs ? failures : null;
  }
}
