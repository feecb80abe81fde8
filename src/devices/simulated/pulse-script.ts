/** Pulses of one simulated line, which start at a time. */
interface PulseScript {
  /** Stamp from which the times of its pulses are counted, kernel-monotonic milliseconds. */
  readonly startMonoMs: number;
  readonly ticks: number;
  /** Time of pulse number `i` from the start, counted from 0. */
  offsetMs(i: number): number;
  /** When the next script may start. */
  readonly durationMs: number;
}

/** Evenly spaced pulses, or one stamp for each from the start of the flow, ascending. */
export type PulseTrain =
  | { readonly ticks: number; readonly hz: number }
  | { readonly offsetsMs: ArrayLike<number>; readonly durationMs: number };

/** A pulse keeps its line low for this long at most. */
const maxLowMs = 20;

/** The scripts of one line, run one after the other. */
export class PulseQueue {
  readonly #queue: PulseScript[] = [];
  /** Pulses of the first script that have been taken. */
  #taken = 0;

  /** Scripts that have not ended. */
  get length(): number {
    return this.#queue.length;
  }

  /** Adds pulses that start now, or when the previous script ends. */
  add(train: PulseTrain, nowMonoMs: number): void {
    const before = this.#queue.at(-1);
    const startMonoMs =
      before === undefined ? nowMonoMs : Math.max(nowMonoMs, before.startMonoMs + before.durationMs);
    this.#queue.push({ startMonoMs, ...toScript(train) });
  }

  /** True while a pulse keeps the line low: for the first half of its gap, at most 20 ms. */
  isLow(monoMs: number): boolean {
    return this.#queue.some((script) => {
      const sinceMs = monoMs - script.startMonoMs;
      const nth = findLast(script, sinceMs);
      if (nth < 0) return false;
      const nextMs = nth + 1 < script.ticks ? script.offsetMs(nth + 1) : script.durationMs;
      return sinceMs - script.offsetMs(nth) < Math.min((nextMs - script.offsetMs(nth)) / 2, maxLowMs);
    });
  }

  /** Takes every pulse stamped `untilMonoMs` or earlier, oldest first. */
  take(untilMonoMs: number): number[] {
    const stamps: number[] = [];
    for (let script = this.#queue[0]; script !== undefined; script = this.#queue[0]) {
      while (this.#taken < script.ticks) {
        const stamp = script.startMonoMs + script.offsetMs(this.#taken);
        if (stamp > untilMonoMs) return stamps;
        stamps.push(stamp);
        this.#taken++;
      }
      this.#queue.shift();
      this.#taken = 0;
    }
    return stamps;
  }
}

function toScript(train: PulseTrain): Omit<PulseScript, 'startMonoMs'> {
  if ('hz' in train) {
    const { ticks, hz } = train;
    // Computed, not accumulated, so that long scripts do not drift.
    const offsetMs = (i: number) => (i * 1_000) / hz;
    return { ticks, offsetMs, durationMs: offsetMs(ticks) };
  }
  const { offsetsMs, durationMs } = train;
  return { ticks: offsetsMs.length, offsetMs: (i) => offsetsMs[i]!, durationMs };
}

/** The newest pulse at that time; −1 before the first. */
function findLast({ ticks, offsetMs }: PulseScript, sinceMs: number): number {
  let [low, high] = [0, ticks];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsetMs(middle) <= sinceMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
