import type { EngineParts } from '../shared/parts.ts';

/** Temperature of a tap's line during a pour, degrees Celsius; null where nothing was measured. */
export interface LineTemperature {
  readonly tempC: number | null;
  /** Median of the hours of the two weeks before. */
  readonly usualC: number | null;
  /** True when the pour was much warmer than usual: it was water, or the first beer of a warm line. */
  readonly isWarm: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A reading this long before or after the end of a pour still tells its temperature. */
const reachMs = 10 * minuteMs;
const usualSpanMs = 14 * 24 * hourMs;
/** With fewer hours nothing is usual. */
const minHours = 24;
/** Degrees above the usual that are much: the viscosity of beer, and so its friction, changes by 14 %. */
const muchWarmerC = 5;

export function createLineTemperatures({ store }: EngineParts) {
  return {
    /** For each time what the sensor of the tap measured; Unix milliseconds. */
    atTap(tapId: number, timesMs: readonly number[]): readonly LineTemperature[] {
      const sensorId = store.taps.byId(tapId)?.thermoSensorId ?? null;
      if (sensorId === null || timesMs.length === 0)
        return timesMs.map(() => ({ tempC: null, usualC: null, isWarm: false }));
      const untilMs = Math.max(...timesMs);
      const range = { sensorId, sinceMs: untilMs - usualSpanMs, untilMs, limit: usualSpanMs / hourMs + 1 };
      const hours = store.temperatures.history.hours(range);
      const usualC = hours.length < minHours ? null : median(hours.map(({ meanC }) => meanC));
      return timesMs.map((timeMs) => {
        const around = { sensorId, sinceMs: timeMs - reachMs, untilMs: timeMs + reachMs, limit: 50 };
        const spans = store.temperatures.history.minutes(around);
        const nearest = spans.toSorted(
          (a, b) => Math.abs(a.timeMs - timeMs) - Math.abs(b.timeMs - timeMs),
        )[0];
        const tempC = nearest?.meanC ?? null;
        return { tempC, usualC, isWarm: tempC !== null && usualC !== null && tempC > usualC + muchWarmerC };
      });
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(at)]! : (sorted[at - 1]! + sorted[at]!) / 2;
}
