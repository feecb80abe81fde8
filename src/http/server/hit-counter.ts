import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

/** Whoever can come from more addresses than this is not kept out by counting them. Some 2 MB at most. */
const defaultMaxKeys = 10_000;

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

  constructor({ maxKeys = defaultMaxKeys, now = Date.now }: { maxKeys?: number; now?: () => number } = {}) {
    this.#most = maxKeys;
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
    const existing = this.#windows.get(key);
    if (existing !== undefined && existing.resetTime.getTime() > now) {
      existing.totalHits += 1;
      return existing;
    }
    this.#windows.delete(key);
    this.#forget(now);
    const created = { resetTime: new Date(now + this.#windowMs), totalHits: 1 };
    this.#windows.set(key, created);
    return created;
  }

  decrement(key: string): void {
    const existing = this.#windows.get(key);
    if (existing !== undefined && existing.totalHits > 0) existing.totalHits -= 1;
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
