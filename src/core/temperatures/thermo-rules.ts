import { missesUntilStale } from './sensor-reading.ts';

/** Lowest and highest temperature accepted, inclusive, °C: covers a glycol line and a hot-liquor tank. */
export const minTempC = -50;
export const maxTempC = 125;

/** Longer than any kernel output for one sensor, in characters. */
const maxW1TextLength = 512;

/** The sensor's value before its first conversion: a power-on default, not a real temperature. */
const powerOnTempC = 85;

/** A reading may differ this much from the last one at once: an opened door, a sensor touched by hand. */
const maxJumpC = 5;

/**
 * Additional difference allowed per minute between readings. A cold room drifts by tenths; a cooler after
 * cleaning by one or two degrees.
 */
const maxDriftCPerMin = 2;

/** Sensor faults as written in the log; the health advice is chosen by these texts. */
export const sensorFaults = {
  checksum: 'bad checksum',
  noAnswer: 'no answer',
  stuckLow: 'data line stuck low',
  powerOn: 'not converted yet (85.000 °C is the power-on value)',
  absent: 'not on the bus',
} as const;

/** Kernel output for one sensor. */
export type W1Reading =
  | { readonly kind: 'temperature'; readonly tempC: number }
  | { readonly kind: 'unusable'; readonly reason: string };

/**
 * Parses the two lines that the kernel writes for one DS18B20 (`w1_slave`); any other text is unusable, with
 * the reason.
 */
export function readW1Text(text: string): W1Reading {
  if (text.length > maxW1TextLength) return unusable('answer too long');
  if (text.trim() === '') return unusable(sensorFaults.noAnswer);
  // The kernel repeats the old value after a failed checksum, so check the checksum before the value.
  if (!/\bcrc=[0-9a-f]{2} YES\b/.test(text)) return unusable(sensorFaults.checksum);
  // Nine zero bytes have checksum zero: a data line shorted to ground would read as a valid 0 °C.
  if (/^(00 ){9}/.test(text)) return unusable(sensorFaults.stuckLow);
  const milli = /\bt=(-?\d{1,6})\s*$/.exec(text)?.[1];
  if (milli === undefined) return unusable('no value');
  return { kind: 'temperature', tempC: Number(milli) / 1_000 };
}

/** Why a temperature is impossible, whatever its source; null when it is possible. */
export function checkTemperature(tempC: number): string | null {
  if (!Number.isFinite(tempC)) return 'not a number';
  if (tempC < minTempC || tempC > maxTempC) return `outside ${minTempC}…${maxTempC} °C`;
  return null;
}

/** Adds the offset of a sensor to its reading, °C. The sum stays within the accepted range, in thousandths as reported. */
export function applyOffset(tempC: number, offsetC: number): number {
  if (offsetC === 0) return tempC;
  return Math.min(maxTempC, Math.max(minTempC, Math.round((tempC + offsetC) * 1_000) / 1_000));
}

/** Result of one sensor reading. */
type ThermoStep =
  /** `recovered` is true for the first good reading of a sensor that was stale. */
  | { readonly kind: 'temperature'; readonly tempC: number; readonly recovered: boolean }
  | { readonly kind: 'refused'; readonly reason: string }
  /** The third miss in a row, reported once; later ones are `refused` until a good reading. */
  | { readonly kind: 'stale'; readonly reason: string };

interface Sample {
  readonly tempC: number;
  readonly monoMs: number;
}

/**
 * Checks the readings of one of our own sensors. An implausible jump is refused once; when the next reading
 * agrees with it, the sensor was moved and the value is accepted. 85.000 °C is accepted only near the last
 * reading.
 */
export class ThermoFilter {
  #last: Sample | null = null;
  #jumped: Sample | null = null;
  #misses = 0;

  /** True from the third miss in a row until the next good reading. */
  get isStale(): boolean {
    return this.#misses >= missesUntilStale;
  }

  /**
   * Processes a reading taken at `monoMs`; a sensor without a value gives `{ kind: 'unusable', reason: … }`.
   */
  step(reading: W1Reading, monoMs: number): ThermoStep {
    const reason = reading.kind === 'unusable' ? reading.reason : this.#findDoubt(reading.tempC, monoMs);
    if (reading.kind === 'unusable' || reason !== null) return this.#miss(reason ?? 'no value');
    const recovered = this.isStale;
    this.#misses = 0;
    this.#jumped = null;
    this.#last = { tempC: reading.tempC, monoMs };
    return { kind: 'temperature', tempC: reading.tempC, recovered };
  }

  #findDoubt(tempC: number, monoMs: number): string | null {
    const impossible = checkTemperature(tempC);
    if (impossible !== null) return impossible;
    if (tempC === powerOnTempC) {
      const isNear = this.#last !== null && Math.abs(this.#last.tempC - tempC) <= maxJumpC;
      return isNear ? null : sensorFaults.powerOn;
    }
    const sample = { tempC, monoMs };
    if (this.#last === null || agrees(this.#last, sample)) return null;
    if (this.#jumped !== null && agrees(this.#jumped, sample)) return null;
    this.#jumped = sample;
    return `jumped from ${this.#last.tempC} to ${tempC} °C`;
  }

  #miss(reason: string): ThermoStep {
    this.#misses++;
    return { kind: this.#misses === missesUntilStale ? 'stale' : 'refused', reason };
  }
}

function agrees(earlier: Sample, later: Sample): boolean {
  const minutes = Math.max(0, later.monoMs - earlier.monoMs) / 60_000;
  return Math.abs(later.tempC - earlier.tempC) <= maxJumpC + maxDriftCPerMin * minutes;
}

function unusable(reason: string): W1Reading {
  return { kind: 'unusable', reason };
}
