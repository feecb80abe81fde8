import type { TickPair } from './tick-series.ts';

/** Fewest gaps by which a rate is judged: a coarse meter ticks once a second at the least flow. */
const minGaps = 3;

/** Whether the ticks of a pour come as fast as a tap pours, for about a second at least once. */
export class LeastRate {
  readonly #minTicksPerS: number;
  /** The last stamps, the oldest of which is overwritten next. */
  readonly #stamps: Float64Array;
  #count = 0;
  #firstMs = 0;
  #lastMs = 0;
  #isReached: boolean;

  /** 0: at any rate. */
  constructor(minTicksPerS: number) {
    this.#minTicksPerS = minTicksPerS;
    this.#isReached = minTicksPerS <= 0;
    this.#stamps = new Float64Array(this.#isReached ? 0 : Math.max(minGaps, Math.ceil(minTicksPerS)));
  }

  add(ms: number): void {
    if (this.#isReached) return;
    const gaps = this.#stamps.length;
    const slot = this.#count % gaps;
    if (this.#count >= gaps) this.#isReached = this.#isFast(gaps, ms - this.#stamps[slot]!);
    if (this.#count === 0) this.#firstMs = ms;
    this.#stamps[slot] = ms;
    this.#lastMs = ms;
    this.#count++;
  }

  /** A pour of fewer ticks is judged by its whole. */
  get isReached(): boolean {
    const isShort = this.#count > 1 && this.#count <= this.#stamps.length;
    return this.#isReached || (isShort && this.#isFast(this.#count - 1, this.#lastMs - this.#firstMs));
  }

  #isFast(gaps: number, ms: number): boolean {
    return gaps * 1_000 >= this.#minTicksPerS * ms;
  }
}

/** The same for a series, oldest first. */
export function reachesRate(pairs: readonly TickPair[], minTicksPerS: number): boolean {
  const rate = new LeastRate(minTicksPerS);
  for (const { ms, ticks } of pairs) for (let i = 0; i < ticks; i++) rate.add(ms);
  return rate.isReached;
}
