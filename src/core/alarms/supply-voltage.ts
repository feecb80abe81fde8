import type { ConditionState } from './alarm-rules.ts';

/** How long a low voltage counts, milliseconds. */
const windowMs = 600_000;
/**
 * Readings with low voltage within the window that raise an alarm. With a reading every 2 s that is 6 s: plugging in a USB stick
 * lowers the voltage for a moment only.
 */
const minLowReadings = 3;

/** Counts the readings of a supply voltage that was too low. */
export class SupplyVoltage {
  /** Times of the latest low readings, oldest first. */
  #lowMonoMs: readonly number[] = [];
  #wasLow = false;
  #drops = 0;

  /** How often the voltage fell below its limit since the start. */
  get drops(): number {
    return this.#drops;
  }

  /** Adds a reading, taken at `monoMs`. */
  add(isLow: boolean, monoMs: number): void {
    if (isLow) this.#lowMonoMs = [...this.#lowMonoMs, monoMs].slice(-minLowReadings);
    if (isLow && !this.#wasLow) this.#drops++;
    this.#wasLow = isLow;
  }

  /** `bad` after several low readings within ten minutes, `good` after none. */
  state(monoMs: number): ConditionState {
    const recent = this.#lowMonoMs.filter((ms) => monoMs - ms <= windowMs).length;
    return recent >= minLowReadings ? 'bad' : recent > 0 ? 'between' : 'good';
  }
}
