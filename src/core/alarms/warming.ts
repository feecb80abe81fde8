import type { ConditionState } from './alarm-rules.ts';

/** The temperature rise is measured over this time, milliseconds. */
const windowMs = 20 * 60_000;
/** Fewer readings in the window, or a shorter time between them, say nothing. */
const minReadings = 3;
const minSpanMs = 5 * 60_000;
/** A bar reads once a minute or more often; more readings are not kept. */
const maxReadings = 64;

/** The least rise that is reported, °C: 6 °C an hour, which a cooler without power reaches and one with closed doors does not. */
const minRiseC = 2;
/** Defrosting warms the air of a cooler by up to this much, which counts until its usual rise is known, °C. */
const unknownRiseLimitC = 6;
/** The rise must be this much larger than the usual one. */
const usualRiseFactor = 1.5;
/** Days with readings after which the usual rise is known. */
const minDays = 3;

interface Reading {
  readonly tempC: number;
  readonly monoMs: number;
}

/** Measures how fast the temperature of one sensor rises. */
export class TemperatureRise {
  #readings: readonly Reading[] = [];

  /** Adds a reading; times never decrease. */
  add(reading: Reading): void {
    this.#readings = [...this.#readings, reading]
      .filter(({ monoMs }) => reading.monoMs - monoMs <= windowMs)
      .slice(-maxReadings);
  }

  /** The last reading above the lowest of the 20 minutes before it, °C; null with too few readings. */
  get riseC(): number | null {
    const first = this.#readings[0];
    const last = this.#readings.at(-1);
    if (first === undefined || last === undefined || this.#readings.length < minReadings) return null;
    if (last.monoMs - first.monoMs < minSpanMs) return null;
    return last.tempC - Math.min(...this.#readings.map(({ tempC }) => tempC));
  }
}

/** The lowest and highest temperature of an hour. */
interface HourRange {
  readonly timeMs: number;
  readonly minC: number;
  readonly maxC: number;
}

/**
 * How much the temperature changes within an hour on a usual day: defrosting, doors, cleaning. The median of the days, so that one
 * day with a fault does not hide the next. Null with too few days.
 */
export function findUsualRise(hours: readonly HourRange[]): number | null {
  const byDay = new Map<number, number>();
  for (const { timeMs, minC, maxC } of hours) {
    const day = Math.floor(timeMs / 86_400_000);
    byDay.set(day, Math.max(byDay.get(day) ?? 0, maxC - minC));
  }
  const rises = [...byDay.values()].sort((a, b) => a - b);
  return rises.length < minDays ? null : rises[Math.floor(rises.length / 2)]!;
}

/** Compares the rise with the usual one. */
export function toWarmingCondition(riseC: number | null, usualRiseC: number | null): ConditionState {
  if (riseC === null) return 'unknown';
  const limitC = usualRiseC === null ? unknownRiseLimitC : Math.max(minRiseC, usualRiseFactor * usualRiseC);
  if (riseC >= limitC) return 'bad';
  return riseC <= limitC / 2 ? 'good' : 'between';
}
