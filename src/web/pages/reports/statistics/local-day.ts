const hourMs = 3_600_000;

/** Start of the day `YYYY-MM-DD` in a time zone, Unix milliseconds; null for an invalid date. */
function dayStart(day: string, timeZone: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return null;
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(utcMs)) return null;
  // The offset is taken twice: it changes within the day when daylight saving time starts or ends.
  const guessMs = utcMs - offsetMs(utcMs, timeZone);
  return utcMs - offsetMs(guessMs, timeZone);
}

/** Start and end of the day `YYYY-MM-DD` in a time zone, as ISO times; empty for an invalid date. */
export function dayRange(
  day: string,
  timeZone: string,
): { readonly since?: string; readonly until?: string } {
  const sinceMs = dayStart(day, timeZone);
  if (sinceMs === null) return {};
  const untilMs = dayStart(nextDay(day), timeZone) ?? sinceMs;
  return { since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() };
}

/** Local day `YYYY-MM-DD` and hour 0 to 23 in a time zone. */
export function dayAndHour(ms: number, timeZone: string): { readonly day: string; readonly hour: number } {
  const local = new Date(ms + offsetMs(ms, timeZone)).toISOString();
  return { day: local.slice(0, 10), hour: Number(local.slice(11, 13)) };
}

/** The next day, `YYYY-MM-DD`. */
function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + 24 * hourMs).toISOString().slice(0, 10);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Offset of a time zone from UTC; 0 when the zone is unknown. */
function offsetMs(ms: number, timeZone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of getFormat(timeZone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone);
  if (cached) return cached;
  const options = {
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { ...options, timeZone });
  } catch {
    format = new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  }
  formats.set(timeZone, format);
  return format;
}
