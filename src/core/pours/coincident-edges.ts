/**
 * Edges of two lines within this time have one cause, milliseconds: a cable picks up its neighbour's edge at once, and each
 * time stamp is off by up to 0.05 ms.
 */
const togetherMs = 0.2;

/** Share of a line's edges that another line explains; of two wheels that turn equally fast, 0.42 at most in 4500 pours. */
const minShare = 0.9;

/** Above this share chance alone brings edges together: nothing is known then. Reached at 1250 edges per second. */
const maxChance = 0.5;

/** Few edges may be together by chance: their probability must be below this. */
const maxProbability = 1e-5;

/** With this many edges, of which less than this share fell together with another line's, both lines count for themselves. */
const minIndependentEdges = 30;
const maxIndependentShare = 0.6;

/** Edges of one line, kernel-monotonic milliseconds, ascending except for rare late arrivals. */
export interface LineEdges {
  readonly meter: string;
  readonly stampsMonoMs: ArrayLike<number>;
}

/** What another line had until now: its edges of a drain, after the one before them. */
export interface OtherLine extends LineEdges {
  /** Edges that came before those. */
  readonly earlierEdges: number;
}

/** Edges of one span of a line, and how many of them fell together with those of each other line. */
export class CoincidentEdges {
  #edges = 0;
  /** Edges of the other line before this span and until its end, and edges of this one that fell together with them. */
  readonly #others = new Map<string, { before: number; until: number; together: number }>();

  /** Adds the edges that this line had from `fromMonoMs` to `untilMonoMs`, compared with those of all others. */
  add(own: ArrayLike<number>, others: readonly OtherLine[], fromMonoMs: number, untilMonoMs: number): void {
    this.#edges += countBetween(own, fromMonoMs, untilMonoMs);
    for (const { meter, stampsMonoMs, earlierEdges } of others) {
      const countUntil = (ms: number) =>
        earlierEdges + countBetween(stampsMonoMs, Number.NEGATIVE_INFINITY, ms);
      const known = this.#others.get(meter);
      this.#others.set(meter, {
        before: known?.before ?? countUntil(fromMonoMs - togetherMs),
        until: countUntil(untilMonoMs + togetherMs),
        together: (known?.together ?? 0) + countTogether(own, stampsMonoMs, fromMonoMs, untilMonoMs),
      });
    }
  }

  /** Whether the edges of this line show that those of the other one have another cause. */
  isIndependentOf(meter: string): boolean {
    const { together } = this.#others.get(meter) ?? {};
    return (
      together !== undefined &&
      this.#edges >= minIndependentEdges &&
      together < maxIndependentShare * this.#edges
    );
  }

  /**
   * Whether the other line explains nearly all edges of this one, which took `durationMs`. A copy lacks edges and has none more:
   * the line with more of them is the original. With equally many nothing tells which is, and each may be the copy.
   */
  isCopyOf(meter: string, durationMs: number): boolean {
    const other = this.#others.get(meter);
    if (other === undefined) return false;
    const { before, until, together } = other;
    const edges = until - before;
    if (edges < this.#edges || together < minShare * this.#edges) return false;
    // A line of this rate has an edge within the tolerance of any moment with this probability.
    const chance = 1 - Math.exp((-2 * togetherMs * edges) / (durationMs + 2 * togetherMs));
    return chance <= maxChance && chance ** together <= maxProbability;
  }
}

function countBetween(stamps: ArrayLike<number>, fromMs: number, untilMs: number): number {
  let count = 0;
  for (let i = 0; i < stamps.length; i++) if (stamps[i]! >= fromMs && stamps[i]! <= untilMs) count++;
  return count;
}

/** Edges of the first line with an edge of the second beside them. */
function countTogether(
  own: ArrayLike<number>,
  other: ArrayLike<number>,
  fromMs: number,
  untilMs: number,
): number {
  let count = 0;
  let at = 0;
  for (let i = 0; i < own.length; i++) {
    const stamp = own[i]!;
    if (stamp < fromMs || stamp > untilMs) continue;
    while (at < other.length && other[at]! < stamp - togetherMs) at++;
    if (at < other.length && other[at]! <= stamp + togetherMs) count++;
  }
  return count;
}
