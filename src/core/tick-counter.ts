/** Running totals are unsigned 32-bit numbers on every board we know. */
const wrap = 2 ** 32;

/** What one reading of a running total means. */
export type CountStep =
  /** The first reading: nothing to compare it with, so no tick is claimed. */
  | { readonly kind: 'baseline' }
  /** So many ticks since the reading before, a wrap of the counter included; 0 is usual. */
  | { readonly kind: 'counted'; readonly ticks: number }
  /** The board began again at zero; these ticks fell since. */
  | { readonly kind: 'restarted'; readonly ticks: number }
  /** More than the meter can have made: not counted. Negative when the total fell. The next reading tells whether it was real. */
  | { readonly kind: 'jumped'; readonly ticks: number }
  /** Not a whole number of 32 bits: as if nothing had been said. */
  | { readonly kind: 'unusable' };

/**
 * Reads ticks out of a running total. After a jump the old total is kept in mind beside the new one: a board that
 * reads its counter while a tick carries over sends one wrong total and then a right one, which costs nothing; a total
 * that goes on from its new place becomes the base, and the jump itself stays uncounted.
 */
export class TickCounter {
  readonly #maxJump: number;
  #last: number | null = null;
  #suspect: number | null = null;

  /** `maxJump`: the most ticks believed between two readings. */
  constructor({ maxJump }: { readonly maxJump: number }) {
    this.#maxJump = maxJump;
  }

  /** Takes a total; a caller that knows how long the board was silent may state a narrower or wider `maxJump`. */
  read(total: number, maxJump: number = this.#maxJump): CountStep {
    if (!Number.isInteger(total) || total < 0 || total >= wrap) return { kind: 'unusable' };
    const last = this.#last;
    const suspect = this.#suspect;
    if (last === null) return this.#accept(total, { kind: 'baseline' });

    const sinceLast = ticksBetween(last, total);
    if (sinceLast <= maxJump) return this.#accept(total, { kind: 'counted', ticks: sinceLast });
    if (suspect !== null) {
      const sinceSuspect = ticksBetween(suspect, total);
      if (sinceSuspect <= maxJump) return this.#accept(total, { kind: 'counted', ticks: sinceSuspect });
    }
    // A counter that falls was reset, for it would take two million litres to wrap; what it shows fell since.
    if (total < last && total <= maxJump) return this.#accept(total, { kind: 'restarted', ticks: total });

    this.#suspect = total;
    return { kind: 'jumped', ticks: total - last };
  }

  /** The board has said that it began again at zero, so the next total counts from there. */
  reset(): void {
    this.#accept(0, { kind: 'baseline' });
  }

  #accept(total: number, step: CountStep): CountStep {
    this.#last = total;
    this.#suspect = null;
    return step;
  }
}

/** Ticks from one total to a later one, going on through the wrap. */
function ticksBetween(earlier: number, later: number): number {
  return later >= earlier ? later - earlier : later - earlier + wrap;
}
