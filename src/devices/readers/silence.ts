/**
 * Measures how long a reader has been silent. One poll adds at most half of the limit: while the main loop stalled, bytes may
 * have arrived unread.
 */
export class Silence {
  readonly #limitMs: number;
  #silentMs = 0;
  #polledMonoMs: number | null = null;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** True once the silence is longer than the limit. Call it at every poll. */
  isOver(hasBytes: boolean, nowMonoMs: number): boolean {
    const passedMs = this.#polledMonoMs === null ? 0 : Math.max(0, nowMonoMs - this.#polledMonoMs);
    this.#polledMonoMs = nowMonoMs;
    this.#silentMs = hasBytes ? 0 : this.#silentMs + Math.min(passedMs, this.#limitMs / 2);
    return this.#silentMs >= this.#limitMs;
  }
}
