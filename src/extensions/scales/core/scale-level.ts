/** A reading of a scale. */
export interface WeightReading {
  readonly weightG: number;
  /** Of the scale or the cold room; null where nothing measures it. */
  readonly tempC: number | null;
  readonly monoMs: number;
}

/** A weight that did not change for a while. */
export interface WeightLevel {
  readonly weightG: number;
  readonly tempC: number | null;
  /** Time of the first and of the last reading. */
  readonly sinceMonoMs: number;
  readonly monoMs: number;
}

/** A weight is stable when readings of this time differ this little. */
const minSpanMs = 2_000;
const maxSigmaG = 20;
const minReadings = 3;
/** Readings further apart say nothing together: some sensors send every ten minutes, milliseconds. */
const maxSpanMs = 30 * 60_000;
/** More than two seconds at ten readings per second. */
const maxKept = 32;

/** The largest and smallest weight that a keg scale can show, grams: an empty platform, and three full barrels. */
export const minWeightG = 0;
export const maxWeightG = 300_000;

/** Standard uncertainty of a difference of two levels over a few minutes, grams. */
export const uDifferenceG = 10;

/** Finds stable weights. */
export class WeightLevels {
  #readings: WeightReading[] = [];

  /** The level that the reading completes; null while the weight changes. */
  add(reading: WeightReading): WeightLevel | null {
    if (this.#readings.length > 0 && reading.monoMs <= this.#readings.at(-1)!.monoMs) return null;
    this.#readings.push(reading);
    if (this.#readings.length > maxKept) this.#readings.shift();
    const first = this.#readings.findLastIndex(
      ({ monoMs }, index) =>
        reading.monoMs - monoMs >= minSpanMs && this.#readings.length - index >= minReadings,
    );
    if (first === -1) return null;
    const level = this.#readings.slice(first);
    const sinceMonoMs = level[0]!.monoMs;
    if (reading.monoMs - sinceMonoMs > maxSpanMs) return null;
    const weights = level.map(({ weightG }) => weightG);
    if (sigma(weights) >= maxSigmaG) return null;
    const temps = level.flatMap(({ tempC }) => (tempC === null ? [] : [tempC]));
    return {
      weightG: mean(weights),
      tempC: temps.length === 0 ? null : mean(temps),
      sinceMonoMs,
      monoMs: reading.monoMs,
    };
  }

  /** Forgets the readings: what comes next is another weight. */
  clear(): void {
    this.#readings = [];
  }
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function sigma(values: readonly number[]): number {
  const middle = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
