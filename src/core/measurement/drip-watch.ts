/** Length and number of the windows in which drips are sought. */
const windowMs = 600_000;
const windows = 12;

/** A tap that drips in so many of them leaks. */
const minWindows = 6;

/** What drips so soon after a pour ran out of the spout, or topped up a glass. */
const afterPourMs = 60_000;

/**
 * Detects a tap that leaks: drips far from any pour, in half of the ten-minute windows of the last two hours. Times are
 * monotonic milliseconds.
 */
export class DripWatch {
  /** Numbers of the windows with a drip, ascending. */
  readonly #windows = new Map<string, number[]>();
  readonly #lastPour = new Map<string, number>();

  /** Records the end of a pour. */
  addPour(meter: string, endMonoMs: number): void {
    this.#lastPour.set(meter, endMonoMs);
  }

  /** Records a few ticks that are no pour. */
  addDrip(meter: string, atMonoMs: number): void {
    if (atMonoMs - (this.#lastPour.get(meter) ?? Number.NEGATIVE_INFINITY) < afterPourMs) return;
    const seen = this.#windows.get(meter) ?? [];
    this.#windows.set(meter, seen);
    const window = Math.floor(atMonoMs / windowMs);
    if (seen.at(-1) !== window) seen.push(window);
    if (seen.length > windows) seen.shift();
  }

  /** The meters that leak now. */
  leaking(nowMonoMs: number): string[] {
    const oldest = Math.floor(nowMonoMs / windowMs) - windows;
    return [...this.#windows].flatMap(([meter, seen]) =>
      seen.filter((window) => window > oldest).length >= minWindows ? [meter] : [],
    );
  }
}
