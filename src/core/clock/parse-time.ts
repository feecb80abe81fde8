import { localInstant } from './local-days.ts';

/** Times from 2101 on are refused as typing errors: milliseconds sent as seconds would be thousands of years later. */
export const timesEndMs = Date.UTC(2101, 0, 1);

/**
 * A time as text in a request: whole Unix seconds, or RFC 3339, whose zone and seconds may be left out. A plus sign that a
 * query does not encode arrives as a blank.
 */
export const timePattern =
  '^(\\d{1,10}|\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?([Zz]|[+ -]\\d\\d:\\d\\d)?)$';

const unixSeconds = /^\d{1,10}$/;
const rfc3339 = new RegExp(
  '^(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)[Tt ](?<hour>\\d\\d):(?<minute>\\d\\d)' +
    '(?::(?<second>\\d\\d)(?<fraction>\\.\\d{1,9})?)?' +
    '(?<zone>[Zz]|(?<sign>[+ -])(?<offsetHour>\\d\\d):(?<offsetMinute>\\d\\d))?$',
);

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Parses a time of a request to Unix milliseconds: whole Unix seconds, as number or text, or RFC 3339. Without a zone it is a
 * time in `timeZone`: one that occurs twice when clocks go back means the first, one that is skipped when they go forward
 * is read with the offset before the change. A leap second, 23:59:60 UTC at the end of a month, means the second after it, as
 * Unix time has it. Null for anything else, for dates and hours that no calendar has, and outside 1970 to 2100.
 */
export function parseTime(value: number | string, timeZone: string): number | null {
  const ms = typeof value === 'number' ? secondsToMs(value) : parseText(value, timeZone);
  return ms !== null && ms >= 0 && ms < timesEndMs ? ms : null;
}

const secondsToMs = (seconds: number): number | null => (Number.isInteger(seconds) ? seconds * 1000 : null);

function parseText(text: string, timeZone: string): number | null {
  if (unixSeconds.test(text)) return Number(text) * 1000;
  const parts = rfc3339.exec(text)?.groups;
  if (!parts) return null;
  const { zone, sign } = parts;
  const number = (name: string) => Number(parts[name] ?? 0);
  const [hour, minute, second] = [number('hour'), number('minute'), number('second')];
  const [offsetHour, offsetMinute] = [number('offsetHour'), number('offsetMinute')];
  const dateMs = toDateMs(number('year'), number('month'), number('day'));
  // Outside the days around the range no zone needs to be known.
  if (dateMs === null || dateMs < -dayMs || dateMs > timesEndMs) return null;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return null;
  const shownMs = dateMs + (hour * 60 + minute) * minuteMs + Math.min(second, 59) * 1000;
  const offsetMs = (offsetHour * 60 + offsetMinute) * minuteMs * (sign === '-' ? -1 : 1);
  const secondMs = zone === undefined ? localInstant(shownMs, timeZone) : shownMs - offsetMs;
  if (second === 60 && !isStartOfMonth(secondMs + 1000)) return null;
  return secondMs + (second === 60 ? 1000 : 0) + Math.floor(number('fraction') * 1000);
}

/** Midnight of a date in UTC; null for 30 February, which `Date.UTC` would take for a day in March. */
function toDateMs(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? ms : null;
}

const isStartOfMonth = (ms: number): boolean => ms % dayMs === 0 && new Date(ms).getUTCDate() === 1;
