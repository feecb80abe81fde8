import type { LineBatch } from '../device-interfaces.ts';

/**
 * Limit for one line between two drains; only a stalled main loop exceeds it. Further edges are counted as
 * dropped.
 */
const maxWaiting = 65_536;

/** Collects edges that arrive as callbacks in the main loop, by line, until the next drain. */
export class EdgeBuffer {
  readonly #meters: readonly string[];
  #stamps: number[][];
  #overflow: number[];
  readonly #received: number[];
  readonly #dropped: number[];
  #drainedMs = Number.NEGATIVE_INFINITY;

  constructor(meters: readonly string[]) {
    this.#meters = meters;
    this.#stamps = meters.map(() => []);
    this.#overflow = meters.map(() => 0);
    this.#received = meters.map(() => 0);
    this.#dropped = meters.map(() => 0);
  }

  add(line: number, stampMonoMs: number): void {
    if (this.#stamps[line]!.length >= maxWaiting) {
      this.#overflow[line]! += 1;
      this.#dropped[line]! += 1;
      return;
    }
    this.#stamps[line]!.push(stampMonoMs);
    this.#received[line]! += 1;
  }

  received(line: number): number {
    return this.#received[line]!;
  }

  /** Edges of a line dropped since opening because the buffer was full. */
  dropped(line: number): number {
    return this.#dropped[line]!;
  }

  /**
   * Returns the time of the previous drain. A source in the main loop is complete up to that time, since
   * callbacks that were pending then have had a whole turn of the loop to run. Returns 0 the first time.
   */
  markDrain(nowMs: number): number {
    const previousMs = this.#drainedMs;
    this.#drainedMs = nowMs;
    return Math.max(0, previousMs);
  }

  /** Takes everything; `lost` gives the source's own losses, to which the buffer's overflow is added. */
  take(lost: (line: number) => number | null): LineBatch[] {
    const stamps = this.#stamps;
    const overflow = this.#overflow;
    this.#stamps = this.#meters.map(() => []);
    this.#overflow = this.#meters.map(() => 0);
    return this.#meters
      .map((meter, line) => {
        const sourceLost = lost(line);
        return {
          meter,
          stampsMonoMs: stamps[line]!,
          lost: sourceLost === null ? null : sourceLost + overflow[line]!,
        };
      })
      .filter((batch) => batch.stampsMonoMs.length > 0 || batch.lost !== 0);
  }
}

/** The kernel's monotonic clock in milliseconds, with which the kernel also stamps GPIO edges. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
