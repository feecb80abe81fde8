/** Bucket width of a short pour: fine enough to show changes of the tap handle. */
const firstBucketMs = 100;

/** More pairs than this are merged, so that a five-minute pour takes no more space than a short one. */
export const maxSeriesPairs = 256;

/** Longest text parsed as a series, in characters. */
const maxSeriesLength = 8_192;

/** Ticks from `ms` after the pour's start until the next pair. */
export interface TickPair {
  /** Whole milliseconds ≥ 0 since the first tick. */
  readonly ms: number;
  /** Whole number ≥ 0. */
  readonly ticks: number;
}

/** Times of one pour's ticks, in buckets that double in width when there are too many. Never loses a tick. */
export class TickSeries {
  #bucketMs = firstBucketMs;
  #bucketEndMs = Number.NEGATIVE_INFINITY;
  #pairs: { ms: number; ticks: number }[] = [];
  #open = { ms: 0, ticks: 0 };

  /** Adds one tick `offsetMs` after the pour's start; offsets never decrease. */
  add(offsetMs: number): void {
    if (offsetMs < this.#bucketEndMs) {
      this.#open.ticks++;
      return;
    }
    this.#append({ ms: this.#bucketStart(offsetMs), ticks: 1 });
  }

  /** Adds the pairs of a series begun earlier, oldest first. */
  addPairs(pairs: Iterable<TickPair>): void {
    for (const { ms, ticks } of pairs) {
      if (ms < this.#bucketEndMs) this.#open.ticks += ticks;
      else this.#append({ ms: this.#bucketStart(ms), ticks });
    }
  }

  toString(): string {
    return this.#pairs.map(({ ms, ticks }) => `${ms}:${ticks}`).join(' ');
  }

  #bucketStart(offsetMs: number): number {
    return Math.floor(offsetMs / this.#bucketMs) * this.#bucketMs;
  }

  #append(pair: { ms: number; ticks: number }): void {
    this.#pairs.push(pair);
    while (this.#pairs.length > maxSeriesPairs) this.#merge();
    this.#open = this.#pairs.at(-1)!;
    this.#bucketEndMs = this.#open.ms + this.#bucketMs;
  }

  #merge(): void {
    this.#bucketMs *= 2;
    const merged: { ms: number; ticks: number }[] = [];
    for (const { ms, ticks } of this.#pairs) {
      const start = this.#bucketStart(ms);
      const last = merged.at(-1);
      if (last?.ms === start) last.ticks += ticks;
      else merged.push({ ms: start, ticks });
    }
    this.#pairs = merged;
  }
}

/**
 * Parses `<ms>:<ticks>` pairs separated by blanks, in any order; null when the text is malformed or too long.
 */
export function parseTickSeries(text: string): TickPair[] | null {
  if (text.length > maxSeriesLength) return null;
  const words = text.split(' ').filter((word) => word !== '');
  if (words.length === 0) return null;
  const pairs: TickPair[] = [];
  for (const word of words) {
    const [, ms, ticks] = /^(\d{1,9}):(\d{1,9})$/.exec(word) ?? [];
    if (ms === undefined || ticks === undefined) return null;
    pairs.push({ ms: Number(ms), ticks: Number(ticks) });
  }
  return pairs;
}

/** Normalizes a received series: sorted, at most 256 pairs, same sum; null when malformed. */
export function normalizeTickSeries(text: string): string | null {
  const pairs = parseTickSeries(text);
  if (pairs === null) return null;
  const inOrder = pairs.toSorted((a, b) => a.ms - b.ms);
  if (inOrder.length <= maxSeriesPairs) return inOrder.map(({ ms, ticks }) => `${ms}:${ticks}`).join(' ');
  const series = new TickSeries();
  series.addPairs(inOrder);
  return series.toString();
}

/** Sum of all ticks in a series. */
export function sumTicks(pairs: readonly TickPair[]): number {
  return pairs.reduce((sum, pair) => sum + pair.ticks, 0);
}
