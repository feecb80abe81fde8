import { backOffMs } from '../core/clock/back-off.ts';

/**
 * Maximum delay after a refusal by a receiver that answers: its next message may be accepted, milliseconds.
 */
const maxAfterRefusalMs = 60_000;

interface RetryDelay {
  readonly failures: number;
  readonly untilMonoMs: number;
}

/**
 * Retry delays and consecutive failures by key. In memory only: after a restart everything is tried again.
 */
export class RetryDelays {
  readonly #delays = new Map<string, RetryDelay>();

  isDelayed(key: string, monoMs: number): boolean {
    return (this.#delays.get(key)?.untilMonoMs ?? Number.NEGATIVE_INFINITY) > monoMs;
  }

  /** Number of consecutive failures. */
  failures(key: string): number {
    return this.#delays.get(key)?.failures ?? 0;
  }

  /** Records a failure. Returns the delay, milliseconds. */
  failed(key: string, monoMs: number, options: { isRefusal?: boolean; atLeastMs?: number } = {}): number {
    const { isRefusal = false, atLeastMs = 0 } = options;
    const failures = this.failures(key) + 1;
    const ownMs = isRefusal ? backOffMs(failures, maxAfterRefusalMs) : backOffMs(failures);
    const delayMs = Math.min(Math.max(ownMs, atLeastMs), backOffMs(Number.MAX_SAFE_INTEGER));
    this.#delays.set(key, { failures, untilMonoMs: monoMs + delayMs });
    return delayMs;
  }

  /** Removes the delays of the transport of that kind and of all its receivers. */
  reset(kind: string): void {
    for (const key of this.#delays.keys())
      if (key === kind || key.startsWith(`${kind} `)) this.#delays.delete(key);
  }

  /** Records a success. True if there were failures before. */
  succeeded(key: string): boolean {
    return this.#delays.delete(key);
  }
}
