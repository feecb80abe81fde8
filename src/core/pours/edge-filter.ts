/** Separates the edges of one GPIO line into ticks and bounce. */
interface EdgeFilter {
  /**
   * Returns the stamps of the edges that count, in arrival order and never decreasing. Every other edge is
   * added to `rejected`.
   */
  accept(stampsMonoMs: ArrayLike<number>): number[];
  /** Edges rejected since the filter was created. */
  readonly rejected: number;
}

/**
 * Creates a filter for one GPIO line: an edge closer than `minGapMs` to the last counted one is bounce or
 * noise, because the meter's wheel cannot turn that fast. It compares kernel time stamps, so a late batch
 * gives the same result.
 *
 * A stamp older than the last counted one was delivered late. Within the gap it is bounce; beyond it, it is a
 * real tick, which gets the last tick's time so that time never decreases. A stamp that is not a finite
 * number is rejected.
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
