import type { LineBatch } from '../ports.ts';

/** More than this many edges of one line between two drains can only be a stuck feed; later ones are lost and counted. */
const maxWaiting = 65_536;

/** Collects edges that arrive as callbacks of the main loop, line by line, until the next drain. */
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

  /** Edges of a line thrown away for want of room since opening. */
  dropped(line: number): number {
    return this.#dropped[line]!;
  }

  /**
   * When the drain before this one was, which is how far a source in the main loop has looked: callbacks that waited
   * then have had a whole turn of the loop to arrive. Tells 0 at first.
   */
  markDrain(nowMs: number): number {
    const previousMs = this.#drainedMs;
    this.#drainedMs = nowMs;
    return Math.max(0, previousMs);
  }

  /** Takes everything; `lost` adds what the source knows beyond the tray's own overflow. */
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

/** The kernel's monotonic clock in milliseconds: the same clock the kernel stamps GPIO edges with. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
