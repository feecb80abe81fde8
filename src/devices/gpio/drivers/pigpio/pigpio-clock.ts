const ticksPerMs = 1_000;

/** Converts pigpio's microsecond ticks, which wrap at 2^32 (72 minutes), to the monotonic clock. */
export class PigpioClock {
  #tick: number;
  #monoMs: number;

  /** `tick` and `monoMs` are read at the same instant. */
  constructor(tick: number, monoMs: number) {
    this.#tick = tick;
    this.#monoMs = monoMs;
  }

  /**
   * Sets a new pair of readings. Call it often, at least every half hour, since the two clocks drift apart.
   */
  anchor(tick: number, monoMs: number): void {
    this.#tick = tick;
    this.#monoMs = monoMs;
  }

  /** The monotonic time of a tick within 35 minutes of the anchor, before or after it. */
  toMonoMs(tick: number): number {
    return this.#monoMs + ((tick - this.#tick) | 0) / ticksPerMs;
  }
}
