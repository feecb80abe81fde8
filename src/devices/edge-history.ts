import type { Drained } from './ports.ts';

/** Whoever looks comes back within this, or has gone. */
const watcherTimeoutMs = 5_000;

/** What fell within this is judged: long enough to walk from the tap to the screen. */
const windowMs = 10_000;

/** Edges of one line that are kept; at 400 Hz half of the window. */
const maxEdges = 2_048;

/** The edges of the last seconds, line by line, for whoever looks at the wiring. */
export interface EdgeHistory {
  /** Takes note of a drain. While nobody looks, nothing is kept. */
  record(drained: Drained): void;
  /** What was kept of each line, ascending; the first look gives nothing, for nobody looked before. */
  snapshot(): EdgeHistorySnapshot;
}

/** What a look shows. */
export interface EdgeHistorySnapshot {
  /** How far the source had looked at the last drain. */
  readonly untilMonoMs: number;
  /** From when on everything was kept; null when this is the first look. */
  readonly sinceMonoMs: number | null;
  readonly stamps: ReadonlyMap<string, Float64Array>;
}

/** Keeps edges only as long as somebody looks at least every five seconds, so that counting costs nothing else. */
export function createEdgeHistory(): EdgeHistory {
  const tails = new Map<string, EdgeTail>();
  let isWatched = false;
  let snapshotMonoMs = 0;
  let sinceMonoMs: number | null = null;
  let drainedMonoMs = 0;

  return {
    record({ lines, untilMonoMs }) {
      drainedMonoMs = untilMonoMs;
      if (!isWatched) return;
      if (untilMonoMs - snapshotMonoMs > watcherTimeoutMs) {
        isWatched = false;
        sinceMonoMs = null;
        tails.clear();
        return;
      }
      for (const { meter, stampsMonoMs } of lines) {
        const tail = tails.get(meter) ?? new EdgeTail();
        tails.set(meter, tail);
        tail.add(stampsMonoMs);
      }
    },

    snapshot() {
      const stamps = new Map(
        [...tails].map(([meter, tail]) => [meter, tail.since(drainedMonoMs - windowMs)]),
      );
      const result = { untilMonoMs: drainedMonoMs, sinceMonoMs, stamps };
      isWatched = true;
      snapshotMonoMs = drainedMonoMs;
      sinceMonoMs ??= drainedMonoMs;
      return result;
    },
  };
}

/** The newest edges of one line. */
class EdgeTail {
  readonly #stamps = new Float64Array(maxEdges);
  #count = 0;

  add(stamps: ArrayLike<number>): void {
    for (let i = Math.max(0, stamps.length - maxEdges); i < stamps.length; i++) {
      this.#stamps[this.#count++ % maxEdges] = stamps[i]!;
    }
  }

  since(monoMs: number): Float64Array {
    const length = Math.min(this.#count, maxEdges);
    const oldest = this.#count - length;
    const newest = new Float64Array(length);
    for (let i = 0; i < length; i++) newest[i] = this.#stamps[(oldest + i) % maxEdges]!;
    // A few arrive out of order; what judges them wants them in it.
    if (!isAscending(newest)) newest.sort();
    const first = newest.findIndex((stamp) => stamp > monoMs);
    return first < 0 ? newest.subarray(length) : newest.subarray(first);
  }
}

function isAscending(stamps: Float64Array): boolean {
  for (let i = 1; i < stamps.length; i++) if (stamps[i]! < stamps[i - 1]!) return false;
  return true;
}
