import { backOffMs } from '../core/back-off.ts';

/** A receiver that answers, but refuses now, is not left alone for long: its next message may be welcome. */
const maxAfterRefusalMs = 60_000;

interface RetryDelay {
  readonly failures: number;
  readonly untilMonoMs: number;
}

/** Who is left alone for a while, and how often they have failed in a row. Forgotten at a restart, which tries all anew. */
export class RetryDelays {
  readonly #delays = new Map<string, RetryDelay>();

  isDelayed(key: string, monoMs: number): boolean {
    return (this.#delays.get(key)?.untilMonoMs ?? Number.NEGATIVE_INFINITY) > monoMs;
  }

  /** Failures in a row. */
  failures(key: string): number {
    return this.#delays.get(key)?.failures ?? 0;
  }

  /** One more failure. Gives the pause, milliseconds. */
  failed(key: string, monoMs: number, options: { isRefusal?: boolean; atLeastMs?: number } = {}): number {
    const { isRefusal = false, atLeastMs = 0 } = options;
    const failures = this.failures(key) + 1;
    const ownMs = isRefusal ? backOffMs(failures, maxAfterRefusalMs) : backOffMs(failures);
    const delayMs = Math.min(Math.max(ownMs, atLeastMs), backOffMs(Number.MAX_SAFE_INTEGER));
    this.#delays.set(key, { failures, untilMonoMs: monoMs + delayMs });
    return delayMs;
  }

  /** The carrier of that kind and all its receivers begin anew. */
  reset(kind: string): void {
    for (const key of this.#delays.keys())
      if (key === kind || key.startsWith(`${kind} `)) this.#delays.delete(key);
  }

  /** All is well again. True when it was not before. */
  succeeded(key: string): boolean {
    return this.#delays.delete(key);
  }
}
