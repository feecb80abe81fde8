import { localDay, localInstant } from './local-days.ts';

/** How a bar divides its time: hours after midnight belong to the day before. */
export interface DayRule {
  /** IANA time zone of the bar. */
  readonly timeZone: string;
  /** Minutes after midnight at which the business day ends, 0 to 720. */
  readonly endsMinutes: number;
}

/** A bar closes before noon; a day that ended later would get the wrong date. */
export const maxEndMinutes = 720;

/** A business day: its date and its span (`untilMs` is exclusive), Unix milliseconds. */
export interface BusinessDay {
  /** `YYYY-MM-DD`, the date on which it begins. */
  readonly date: string;
  readonly sinceMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * The business day of a date; null for a date that does not exist. A day on which the clocks change has 23 or
 * 25 hours.
 */
export function businessDay(date: string, rule: DayRule): BusinessDay | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date);
  if (parts === null) return null;
  const asUtc = Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]));
  if (formatDate(asUtc) !== date) return null;
  return dayFrom(asUtc, rule);
}

/** The business day that contains an instant; each instant belongs to exactly one. */
export function businessDayAt(ms: number, rule: DayRule): BusinessDay {
  // Before its start the instant belongs to the day before; a zone that skips a date may need a second step.
  let asUtc = (localDay(ms, rule.timeZone) + 1) * dayMs;
  while (toStartMs(asUtc, rule) > ms) asUtc -= dayMs;
  return dayFrom(asUtc, rule);
}

/** The business day that is `days` after `day`; negative: before it. */
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

/** A day begins when the previous one ends. */
const toStartMs = (asUtc: number, { timeZone, endsMinutes }: DayRule): number =>
  localInstant(asUtc + endsMinutes * minuteMs, timeZone);

const formatDate = (asUtc: number): string => new Date(asUtc).toISOString().slice(0, 10);

/** Minutes after midnight as `HH:MM`. */
export const formatTimeOfDay = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
