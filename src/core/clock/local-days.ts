/** A calendar year, month or day. */
interface CalendarSpan {
  readonly year: number;
  /** 1 to 12. */
  readonly month?: number;
  /** 1 to 31; only with a month. */
  readonly day?: number;
}

const dayMs = 86_400_000;

/**
 * Span of a calendar year, month or day in an IANA zone (`untilMs` is exclusive, Unix milliseconds); null for
 * a date that does not exist.
 */
export function calendarSpan(
  { year, month, day }: CalendarSpan,
  timeZone: string,
): { readonly sinceMs: number; readonly untilMs: number } | null {
  const first = Date.UTC(year, (month ?? 1) - 1, day ?? 1);
  const next =
    month === undefined
      ? Date.UTC(year + 1, 0, 1)
      : day === undefined
        ? Date.UTC(year, month, 1)
        : first + dayMs;
  // 30 February would roll over into March.
  if (day !== undefined && new Date(first).getUTCDate() !== day) return null;
  return { sinceMs: startOfDay(first, timeZone), untilMs: startOfDay(next, timeZone) };
}

/** Local day of an instant in an IANA zone, in days since 1 January 1970. */
export function localDay(ms: number, timeZone: string): number {
  return Math.floor((ms + offsetMs(ms, timeZone)) / dayMs);
}

/** Span of a day as counted by `localDay`; `untilMs` is its last millisecond. */
export const daySpan = (
  day: number,
  timeZone: string,
): { readonly sinceMs: number; readonly untilMs: number } => ({
  sinceMs: startOfDay(day * dayMs, timeZone),
  untilMs: startOfDay((day + 1) * dayMs, timeZone) - 1,
});

/** Date of a day as counted by `localDay`. */
export function toCalendarDate(day: number): {
  readonly year: number;
  readonly month: number;
  readonly day: number;
} {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Start of a day in a zone; `dayAsUtc` is its midnight as if the zone were UTC. */
const startOfDay = (dayAsUtc: number, timeZone: string): number => localInstant(dayAsUtc, timeZone);

/**
 * First instant at which clocks in a zone show a time; `shownAsUtc` is that time as if the zone were UTC. A
 * time skipped when clocks go forward is converted with the offset before the change.
 */
export function localInstant(shownAsUtc: number, timeZone: string): number {
  const before = offsetMs(shownAsUtc - dayMs, timeZone);
  const after = offsetMs(shownAsUtc + dayMs, timeZone);
  const fits = [before, after]
    .map((offset) => ({ ms: shownAsUtc - offset, offset }))
    .filter(({ ms, offset }) => offsetMs(ms, timeZone) === offset)
    .map(({ ms }) => ms);
  return fits.length > 0 ? Math.min(...fits) : shownAsUtc - before;
}

/** Offset of the zone from UTC at an instant, milliseconds. */
export function offsetMs(ms: number, timeZone: string): number {
  const parts = cachedFormat(timeZone).formatToParts(ms);
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value);
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - Math.floor(ms / 1000) * 1000;
}

/** Cached: a bar uses one zone, and creating a format costs far more than using it. */
let cached: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null;

function cachedFormat(timeZone: string): Intl.DateTimeFormat {
  if (cached?.timeZone !== timeZone) cached = { timeZone, format: createFormat(timeZone) };
  return cached.format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
}
