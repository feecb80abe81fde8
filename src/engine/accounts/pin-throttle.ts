import type { Moment } from '../../core/moment.ts';
import { toPauseMs } from '../../core/pin-rules.ts';

/** How long wrong PINs are remembered after the last of them, milliseconds. */
const retentionMs = 3_600_000;
/** More than any house has tablets or staff. */
const maxEntries = 1_000;

interface Failures {
  readonly count: number;
  readonly lastMonoMs: number;
}

/**
 * Wrong PINs in a row, of tablets or of accounts, and the pauses they cost. Kept in memory, by the clock that never
 * steps: setting the time of the house shortens no pause.
 */
export class PinThrottle {
  readonly #failures = new Map<number, Failures>();

  /** How long nothing may be tried yet, milliseconds; 0: now. */
  waitMs(id: number, now: Moment): number {
    const tries = this.#findFailures(id, now);
    return tries === null ? 0 : Math.max(0, tries.lastMonoMs + toPauseMs(tries.count) - now.monoMs);
  }

  /** Counted before a PIN is looked at, so that many at once are no way around the pause. */
  recordFailure(id: number, now: Moment): void {
    const count = (this.#findFailures(id, now)?.count ?? 0) + 1;
    this.#failures.delete(id);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size >= maxEntries && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(id, { count, lastMonoMs: now.monoMs });
  }

  /** The PIN was right, or a password was: what was tried before is forgotten. */
  reset(id: number): void {
    this.#failures.delete(id);
  }

  #findFailures(id: number, now: Moment): Failures | null {
    const tries = this.#failures.get(id);
    return tries !== undefined && now.monoMs - tries.lastMonoMs < retentionMs ? tries : null;
  }
}
