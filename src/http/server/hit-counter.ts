import type { ClientRateLimitInfo, Options, Store } from 'express-rate-limit';

/** Bounds the memory to about 2 MB. Counting does not stop an attacker who has more addresses than this. */
const defaultMaxKeys = 10_000;

interface Window {
  readonly resetTime: Date;
  totalHits: number;
}

/**
 * Counts hits by key. The window of a key starts with its first hit. Stores at most `maxKeys` keys: a further key
 * removes the oldest window.
 */
export class HitCounter implements Store {
  readonly localKeys = true;
  readonly #windows = new Map<string, Window>();
  readonly #maxKeys: number;
  readonly #now: () => number;
  #windowMs = 0;

  constructor({ maxKeys = defaultMaxKeys, now = Date.now }: { maxKeys?: number; now?: () => number } = {}) {
    this.#maxKeys = maxKeys;
    this.#now = now;
  }

  /** Number of stored keys. */
  get size(): number {
    return this.#windows.size;
  }

  init({ windowMs }: Pick<Options, 'windowMs'>): void {
    this.#windowMs = windowMs;
  }

  /** Hits of a key in its current window. */
  hits(key: string): number {
    const existing = this.#windows.get(key);
    return existing !== undefined && existing.resetTime.getTime() > this.#now() ? existing.totalHits : 0;
  }

  increment(key: string): ClientRateLimitInfo {
    const now = this.#now();
    const existing = this.#windows.get(key);
    if (existing !== undefined && existing.resetTime.getTime() > now) {
      existing.totalHits += 1;
      return existing;
    }
    this.#windows.delete(key);
    this.#removeExpired(now);
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

  /** Removes expired windows. They are in order of their start, so the expired ones come first. */
  #removeExpired(now: number): void {
    for (const [key, { resetTime }] of this.#windows) {
      if (this.#windows.size < this.#maxKeys && resetTime.getTime() > now) return;
      this.#windows.delete(key);
    }
  }
}
