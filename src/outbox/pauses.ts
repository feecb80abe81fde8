import { backOffMs } from '../core/back-off.ts';

/** A receiver that answers, but refuses now, is not left alone for long: its next message may be welcome. */
const longestAfterRefusalMs = 60_000;

interface Pause {
  readonly failures: number;
  readonly untilMonoMs: number;
}

/** Who is left alone for a while, and how often they have failed in a row. Forgotten at a restart, which tries all anew. */
export class Pauses {
  readonly #pauses = new Map<string, Pause>();

  isResting(who: string, monoMs: number): boolean {
    return (this.#pauses.get(who)?.untilMonoMs ?? Number.NEGATIVE_INFINITY) > monoMs;
  }

  /** Failures in a row. */
  failures(who: string): number {
    return this.#pauses.get(who)?.failures ?? 0;
  }

  /** One more failure. Gives the pause, milliseconds. */
  failed(who: string, monoMs: number, options: { isRefusal?: boolean; atLeastMs?: number } = {}): number {
    const { isRefusal = false, atLeastMs = 0 } = options;
    const failures = this.failures(who) + 1;
    const ownMs = isRefusal ? backOffMs(failures, longestAfterRefusalMs) : backOffMs(failures);
    const pauseMs = Math.min(Math.max(ownMs, atLeastMs), backOffMs(Number.MAX_SAFE_INTEGER));
    this.#pauses.set(who, { failures, untilMonoMs: monoMs + pauseMs });
    return pauseMs;
  }

  /** The carrier of that kind and all its receivers begin anew. */
  forget(kind: string): void {
    for (const who of this.#pauses.keys())
      if (who === kind || who.startsWith(`${kind} `)) this.#pauses.delete(who);
  }

  /** All is well again. True when it was not before. */
  worked(who: string): boolean {
    return this.#pauses.delete(who);
  }
}
