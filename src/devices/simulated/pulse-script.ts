/** Evenly spaced pulses on one simulated line. */
interface PulseScript {
  /** Stamp of the first pulse, kernel-monotonic milliseconds. */
  readonly startMonoMs: number;
  readonly ticks: number;
  readonly hz: number;
}

/**
 * Time stamp of pulse number `i`, counted from 0. Computed, not accumulated, so that long scripts do not
 * drift.
 */
function pulseStamp(script: PulseScript, i: number): number {
  return script.startMonoMs + (i * 1_000) / script.hz;
}

/** When the next script may start: one gap after the last pulse. */
function scriptEndMonoMs(script: PulseScript): number {
  return pulseStamp(script, script.ticks);
}

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
  add({ ticks, hz }: { readonly ticks: number; readonly hz: number }, nowMonoMs: number): void {
    const before = this.#queue.at(-1);
    const startMonoMs = before === undefined ? nowMonoMs : Math.max(nowMonoMs, scriptEndMonoMs(before));
    this.#queue.push({ startMonoMs, ticks, hz });
  }

  /** True while a pulse keeps the line low: for the first half of its gap. */
  isLow(monoMs: number): boolean {
    return this.#queue.some((script) => {
      const nth = Math.floor(((monoMs - script.startMonoMs) * script.hz) / 1_000);
      const gapMs = 1_000 / script.hz;
      return nth >= 0 && nth < script.ticks && monoMs - pulseStamp(script, nth) < gapMs / 2;
    });
  }

  /** Takes every pulse stamped `untilMonoMs` or earlier, oldest first. */
  take(untilMonoMs: number): number[] {
    const stamps: number[] = [];
    for (let script = this.#queue[0]; script !== undefined; script = this.#queue[0]) {
      while (this.#taken < script.ticks) {
        const stamp = pulseStamp(script, this.#taken);
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
