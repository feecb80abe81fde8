import { localDay, localInstant } from './local-days.ts';

/** How a bar divides its time: a night belongs to the evening before it. */
export interface DayRule {
  /** IANA zone of the bar. */
  readonly timeZone: string;
  /** Minutes after midnight at which the business day ends, 0 to 720. */
  readonly endsMinutes: number;
}

/** A bar closes before noon; a day that ended later would be called after the wrong date. */
export const maxEndMinutes = 720;

/** A business day: its date, and from when until when (exclusive, Unix milliseconds) it lasts. */
export interface BusinessDay {
  /** `YYYY-MM-DD`, the date of its evening. */
  readonly date: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The business day of a date; null when no calendar has that date. The day the clocks change has 23 or 25 hours. */
export function businessDay(date: string, rule: DayRule): BusinessDay | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (parts === null) return null;
  const asUtc = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  if (formatDate(asUtc) !== date) return null;
  return dayFrom(asUtc, rule);
}

/** The business day that an instant belongs to; each instant belongs to exactly one. */
export function businessDayAt(ms: number, rule: DayRule): BusinessDay {
  // Before its beginning it is still the day before; a zone that leaps over a date may need a second step.
  let asUtc = (localDay(ms, rule.timeZone) + 1) * dayMs;
  while (toStartMs(asUtc, rule) > ms) asUtc -= dayMs;
  return dayFrom(asUtc, rule);
}

/** The day before or after, some days away. */
export function addDays(day: BusinessDay, days: number, rule: DayRule): BusinessDay {
  return dayFrom(Date.parse(day.date) + days * dayMs, rule);
}

function dayFrom(asUtc: number, rule: DayRule): BusinessDay {
  return {
    date: formatDate(asUtc),
    sinceMs: toStartMs(asUtc, rule),
    untilMs: toStartMs(asUtc + dayMs, rule),
  };
}

/** A day begins when the one before it ends. */
const toStartMs = (asUtc: number, { timeZone, endsMinutes }: DayRule): number =>
  localInstant(asUtc + endsMinutes * minuteMs, timeZone);

const formatDate = (asUtc: number): string => new Date(asUtc).toISOString().slice(0, 10);
