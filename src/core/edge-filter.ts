/** Sorts the edges of one line into ticks and bounce. */
export interface EdgeFilter {
  /**
   * Gives the stamps of the edges that count, in the order they came and never falling.
   * Every edge handed in is either among them or in `rejected`.
   */
  accept(stampsMonoMs: ArrayLike<number>): number[];
  /** Edges refused since the filter was made. */
  readonly rejected: number;
}

/**
 * A filter for one line: an edge closer than `minGapMs` to the last counted one is bounce or noise, since the
 * meter's wheel cannot turn that fast. Stamps are the kernel's, so a batch that arrives late is judged no differently.
 *
 * A stamp older than the last counted one was delivered late. Within the gap it is bounce like any other; beyond
 * it a real tick, which counts at the last tick's time so that time never runs backwards. A stamp that is
 * no number at all is refused.
 */
export function createEdgeFilter({ minGapMs }: { readonly minGapMs: number }): EdgeFilter {
  let lastMonoMs = Number.NEGATIVE_INFINITY;
  let rejected = 0;
  return {
    accept(stampsMonoMs) {
      const ticks: number[] = [];
      for (let i = 0; i < stampsMonoMs.length; i++) {
        const stamp = stampsMonoMs[i]!;
        const gapMs = stamp - lastMonoMs;
        if (!Number.isFinite(stamp) || (gapMs < minGapMs && gapMs > -minGapMs)) {
          rejected++;
          continue;
        }
        if (stamp > lastMonoMs) lastMonoMs = stamp;
        ticks.push(lastMonoMs);
      }
      return ticks;
    },
    get rejected() {
      return rejected;
    },
  };
}
