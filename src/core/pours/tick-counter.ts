/** Running totals are unsigned 32-bit numbers on every supported board. */
const wrap = 2 ** 32;

/** Meaning of one reading of a running total. */
type CountStep =
  /** The first reading: nothing to compare with, so no tick is counted. */
  | { readonly kind: 'baseline' }
  /** Ticks since the previous reading, across a counter wrap too; 0 is usual. */
  | { readonly kind: 'counted'; readonly ticks: number }
  /** The board restarted at zero; these ticks were counted since. */
  | { readonly kind: 'restarted'; readonly ticks: number }
  /**
   * More than the meter can produce: not counted. Negative when the total fell. The next reading shows
   * whether it was real.
   */
  | { readonly kind: 'jumped'; readonly ticks: number }
  /** Not an unsigned 32-bit integer: ignored. */
  | { readonly kind: 'unusable' };

/**
 * Derives ticks from a running total. After a jump both the old and the new total are kept: a board that
 * reads its counter during a carry sends one wrong total and then a right one, and no tick is lost; a total
 * that continues from the new value becomes the base, and the jump itself stays uncounted.
 */
export class TickCounter {
  readonly #maxJump: number;
  #last: number | null = null;
  #suspect: number | null = null;

  /** `maxJump`: the most ticks accepted between two readings. */
  constructor({ maxJump }: { readonly maxJump: number }) {
    this.#maxJump = maxJump;
  }

  /**
   * Processes a total; a caller that knows how long the board was silent may pass a narrower or wider
   * `maxJump`. Pass `mayWrap` false where the board may have restarted unnoticed: a lower total is then a
   * restart, since a wrap takes two million litres.
   */
  read(total: number, maxJump: number = this.#maxJump, mayWrap = true): CountStep {
    if (!Number.isInteger(total) || total < 0 || total >= wrap) return { kind: 'unusable' };
    const last = this.#last;
    const suspect = this.#suspect;
    if (last === null) return this.#accept(total, { kind: 'baseline' });

    const sinceLast = mayWrap || total >= last ? ticksBetween(last, total) : Number.POSITIVE_INFINITY;
    if (sinceLast <= maxJump) return this.#accept(total, { kind: 'counted', ticks: sinceLast });
    if (suspect !== null) {
      const sinceSuspect = ticksBetween(suspect, total);
      if (sinceSuspect <= maxJump) return this.#accept(total, { kind: 'counted', ticks: sinceSuspect });
    }
    // A falling counter was reset, since a wrap takes two million litres; its value was counted since the
    // reset.
    if (total < last && total <= maxJump) return this.#accept(total, { kind: 'restarted', ticks: total });

    this.#suspect = total;
    return { kind: 'jumped', ticks: total - last };
  }

  /** Continues from a total that was stored earlier: the next one counts from there. */
  continueFrom(total: number): void {
    this.#accept(total, { kind: 'baseline' });
  }

  /** The last accepted total; null before the first one. */
  get total(): number | null {
    return this.#last;
  }

  /** The board reports a restart at zero, so the next total counts from there. */
  reset(): void {
    this.continueFrom(0);
  }

  #accept(total: number, step: CountStep): CountStep {
    this.#last = total;
    this.#suspect = null;
    return step;
  }
}

/** Ticks from one total to a later one, across a wrap. */
function ticksBetween(earlier: number, later: number): number {
  return later >= earlier ? later - earlier : later - earlier + wrap;
}
