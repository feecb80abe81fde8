/** Readings of one hour. */
interface HourlyReadings {
  readonly timeMs: number;
  readonly minC: number;
  readonly meanC: number;
  readonly maxC: number;
  readonly readings: number;
}

/** A day of a temperature sheet. */
export interface SheetDay {
  /** Null without readings. */
  readonly minC: number | null;
  readonly meanC: number | null;
  readonly maxC: number | null;
  readonly readings: number;
  /** Hours of the day that are over, with at least one reading above the limit. */
  readonly hoursAbove: number;
  /** Hours of the day that are over and have no reading. */
  readonly hoursMissing: number;
}

const hourMs = 3_600_000;

/**
 * Sums up the hours of a day (which has 23 to 25). Hours that have not passed yet are no gap. The mean weights each reading alike.
 */
export function toSheetDay(
  hours: readonly HourlyReadings[],
  { sinceMs, untilMs, limitC }: { sinceMs: number; untilMs: number; limitC: number | null },
  nowMs: number,
): SheetDay {
  const own = hours.filter(({ timeMs, readings }) => timeMs >= sinceMs && timeMs < untilMs && readings > 0);
  const passed = Math.max(0, Math.floor((Math.min(untilMs, nowMs) - sinceMs) / hourMs));
  const complete = new Set(
    own.filter(({ timeMs }) => timeMs < sinceMs + passed * hourMs).map(({ timeMs }) => timeMs),
  );
  const readings = own.reduce((sum, one) => sum + one.readings, 0);
  return {
    minC: own.length === 0 ? null : Math.min(...own.map(({ minC }) => minC)),
    meanC: readings === 0 ? null : own.reduce((sum, one) => sum + one.meanC * one.readings, 0) / readings,
    maxC: own.length === 0 ? null : Math.max(...own.map(({ maxC }) => maxC)),
    readings,
    hoursAbove: limitC === null ? 0 : own.filter(({ maxC }) => maxC > limitC).length,
    hoursMissing: passed - complete.size,
  };
}
