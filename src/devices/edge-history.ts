import type { Drained } from './device-interfaces.ts';

/** Recording stops when no snapshot is taken for this long. */
const snapshotTimeoutMs = 5_000;

/** Period that a snapshot covers: long enough to walk from the tap to the screen. */
const windowMs = 10_000;

/** Edges kept per line; at 400 Hz half of the window. */
const maxEdges = 2_048;

/** The edges of the last seconds by line, for the wiring check. */
interface EdgeHistory {
  /** Records a drain. Nothing is kept while no snapshots are taken. */
  record(drained: Drained): void;
  /** The edges kept of each line, ascending; empty at the first snapshot, which starts the recording. */
  snapshot(): EdgeHistorySnapshot;
}

/** The recorded edges and the period they cover. */
interface EdgeHistorySnapshot {
  /** Up to when the source was complete at the last drain. */
  readonly untilMonoMs: number;
  /** Since when all edges are kept; null at the first snapshot. */
  readonly sinceMonoMs: number | null;
  readonly stamps: ReadonlyMap<string, Float64Array>;
}

/** Keeps edges only while snapshots are taken at least every five seconds, to cost nothing otherwise. */
export function createEdgeHistory(): EdgeHistory {
  const tails = new Map<string, EdgeTail>();
  let isRecording = false;
  let snapshotMonoMs = 0;
  let sinceMonoMs: number | null = null;
  let drainedMonoMs = 0;

  return {
    record({ lines, untilMonoMs }) {
      drainedMonoMs = untilMonoMs;
      if (!isRecording) return;
      if (untilMonoMs - snapshotMonoMs > snapshotTimeoutMs) {
        isRecording = false;
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
      isRecording = true;
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
    // Some edges arrive out of order; the result must be ascending.
    if (!isAscending(newest)) newest.sort();
    const first = newest.findIndex((stamp) => stamp > monoMs);
    return first < 0 ? newest.subarray(length) : newest.subarray(first);
  }
}

function isAscending(stamps: Float64Array): boolean {
  for (let i = 1; i < stamps.length; i++) if (stamps[i]! < stamps[i - 1]!) return false;
  return true;
}
