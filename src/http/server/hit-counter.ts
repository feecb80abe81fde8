import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

/** Whoever can come from more addresses than this is not kept out by counting them. Some 2 MB at most. */
const mostKeys = 10_000;

interface Window {
  readonly resetTime: Date;
  totalHits: number;
}

/**
 * Counts hits by key, each key in a window of its own that begins with its first hit. Never remembers more than
 * `most` keys: when a further one comes, the window that began longest ago is forgotten.
 */
export class HitCounter implements Store {
  readonly localKeys = true;
  readonly #windows = new Map<string, Window>();
  readonly #most: number;
  readonly #now: () => number;
  #windowMs = 0;

  constructor({ most = mostKeys, now = Date.now }: { most?: number; now?: () => number } = {}) {
    this.#most = most;
    this.#now = now;
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#windows.size;
  }

  init({ windowMs }: Pick<Options, 'windowMs'>): void {
    this.#windowMs = windowMs;
  }

  increment(key: string): ClientRateLimitInfo {
    const now = this.#now();
    const known = this.#windows.get(key);
    if (known !== undefined && known.resetTime.getTime() > now) {
      known.totalHits += 1;
      return known;
    }
    this.#windows.delete(key);
    this.#forget(now);
    const fresh = { resetTime: new Date(now + this.#windowMs), totalHits: 1 };
    this.#windows.set(key, fresh);
    return fresh;
  }

  decrement(key: string): void {
    const known = this.#windows.get(key);
    if (known !== undefined && known.totalHits > 0) known.totalHits -= 1;
  }

  resetKey(key: string): void {
    this.#windows.delete(key);
  }

  /** Windows lie in the order in which they began, so that the outdated ones are the first. */
  #forget(now: number): void {
    for (const [key, { resetTime }] of this.#windows) {
      if (this.#windows.size < this.#most && resetTime.getTime() > now) return;
      this.#windows.delete(key);
    }
  }
}
