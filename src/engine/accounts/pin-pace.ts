import type { Moment } from '../../core/moment.ts';
import { pauseAfter } from '../../core/pin-rules.ts';

/** How long wrong PINs are remembered after the last of them, milliseconds. */
const memoryMs = 3_600_000;
/** More than any house has tablets or staff. */
const mostKept = 1_000;

interface Tries {
  readonly wrong: number;
  readonly lastMonoMs: number;
}

/**
 * Wrong PINs in a row, of tablets or of accounts, and the pauses they cost. Kept in memory, by the clock that never
 * steps: setting the time of the house shortens no pause.
 */
export class PinPace {
  readonly #tries = new Map<number, Tries>();

  /** How long nothing may be tried yet, milliseconds; 0: now. */
  waitMs(id: number, now: Moment): number {
    const tries = this.#triesOf(id, now);
    return tries === null ? 0 : Math.max(0, tries.lastMonoMs + pauseAfter(tries.wrong) - now.monoMs);
  }

  /** Counted before a PIN is looked at, so that many at once are no way around the pause. */
  wrong(id: number, now: Moment): void {
    const wrong = (this.#triesOf(id, now)?.wrong ?? 0) + 1;
    this.#tries.delete(id);
    const [oldest] = this.#tries.keys();
    if (this.#tries.size >= mostKept && oldest !== undefined) this.#tries.delete(oldest);
    this.#tries.set(id, { wrong, lastMonoMs: now.monoMs });
  }

  /** The PIN was right, or a password was: what was tried before is forgotten. */
  right(id: number): void {
    this.#tries.delete(id);
  }

  #triesOf(id: number, now: Moment): Tries | null {
    const tries = this.#tries.get(id);
    return tries !== undefined && now.monoMs - tries.lastMonoMs < memoryMs ? tries : null;
  }
}
