import { timesEndMs } from '../clock/parse-time.ts';
import { type DateOrder, parseDate } from './dates.ts';

/** A time as it stands in a file: what clocks of its zone showed, or an instant where the file says the zone. */
export type WrittenTime =
  | { readonly kind: 'shown'; readonly shownMs: number }
  | { readonly kind: 'instant'; readonly ms: number };

/** `order`: the order of day and month is another one, or must be said. Null: it is no time. */
export type FileTime = WrittenTime | 'order' | null;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const maxLength = 80;

/** Hours from UTC of names of zones that mean one offset everywhere. */
const zoneHours: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  cet: 1,
  cest: 2,
  mez: 1,
  mesz: 2,
  eet: 2,
  eest: 3,
};

const zoneAtEnd =
  /(?<=\d|\ds|\d\ss|[ap]\.?\s?m\.?)\s?(?:\(?(z|utc|gmt|wet|west|cet|cest|mez|mesz|eet|eest)\)?)?(?:([+-])(\d\d?)(?::?(\d\d))?)?$/i;
const clockAtEnd =
  /(?:^T?|(?<=\d)T\s?|[\s,]+T?)(\d{1,2})(?:\s?h\s?|[:.])(\d\d)(?:(?:[:.]|\s?min\s)(\d\d)(?:[.,](\d{1,9})|\s?s)?)?(?:\s?(a\.?\s?m\.?|p\.?\s?m\.?))?$/i;
/** `2. Mai 2026 um 18:04`: words between a date and a time of day. */
const betweenDateAndClock = /[\s,]+(?:(?:at|um|om|à|a las?)[\s,]*)?$/i;
const packedClock = /T(\d\d)(\d\d)(\d\d)?$/i;
/** `18:04 Uhr`, `18:04 h`, `18:04 uur`. */
const unitAtEnd = /(?<=\d)\s?(?:uhr|uur|hrs?|h|heures?|horas?)\.?(?=$|\s?\(?[a-z]{3,4}\)?$|\s?[+-]\d)/i;

/** The earliest year that a time of a bar has; the clocks of machines that were not set show earlier ones. */
const earliestMs = Date.UTC(2000, 0, 1);

/** How far the clock of a till or of another machine may be ahead; its zone may be wrong by as much. */
const aheadMs = 24 * hourMs;

/** True for a time that only a clock shows that was not set: before 2000, or in the future. `nowMs` is null while that is not known. */
export const isImplausible = (ms: number, nowMs: number | null): boolean =>
  ms < earliestMs || (nowMs !== null && ms > nowMs + aheadMs);

/**
 * Parses a date with its time, which may be in one text or in two: ISO 8601, dates of numbers in the given order or with names of months, clocks
 * of 12 and 24 hours, with and without an offset.
 */
export function parseFileTime(date: string, time: string, order: DateOrder | null): FileTime {
  const text = `${date} ${time}`.trim().replaceAll(/\s+/g, ' ');
  if (text.length > maxLength) return null;
  if (/^\d{9,10}$/.test(text)) return within({ kind: 'instant', ms: Number(text) * 1_000 });
  const zone = readZone(text.replace(unitAtEnd, ''));
  const found = readClock(zone.rest);
  // A line without a time of day cannot be put into a business day.
  if (found === null) return null;
  const day = parseDate(`${found.rest} `.replace(betweenDateAndClock, ''), order);
  if (day === null || day === 'order') return day;
  if (zone.offsetMs === null) return within({ kind: 'shown', shownMs: day.ms + found.clockMs });
  return within({ kind: 'instant', ms: day.ms + found.clockMs + found.fractionMs - zone.offsetMs });
}

function within(time: WrittenTime): WrittenTime | null {
  const ms = time.kind === 'shown' ? time.shownMs : time.ms;
  return ms >= 0 && ms < timesEndMs ? time : null;
}

/** The offset that a text ends with; null without one. */
function readZone(text: string): { readonly rest: string; readonly offsetMs: number | null } {
  const found = zoneAtEnd.exec(text);
  const [matched = '', name, sign, hours = '', minutes = '0'] = found ?? [];
  const rest = text.slice(0, text.length - matched.length);
  // `2026-05-02` ends with no offset: one stands after a time of day.
  const isAfterClock = readClock(rest) !== null;
  if (matched === '' || !isAfterClock || (name === undefined && sign === undefined))
    return { rest: text, offsetMs: null };
  // `UTC+1`, but not `18:04+1`.
  const isCutOff = hours.length === 1 && name === undefined;
  if (isCutOff || Number(hours) > 15 || Number(minutes) > 59) return { rest: text, offsetMs: null };
  const offset = Number(hours) * hourMs + Number(minutes) * minuteMs;
  return {
    rest,
    offsetMs: (zoneHours[name?.toLowerCase() ?? 'z'] ?? 0) * hourMs + (sign === '-' ? -offset : offset),
  };
}

/** The time of day that a text ends with. */
function readClock(
  text: string,
): { readonly rest: string; readonly clockMs: number; readonly fractionMs: number } | null {
  const found = clockAtEnd.exec(text) ?? packedClock.exec(text);
  if (found === null) return null;
  const [, hourText, minuteText, secondText = '0', fraction = '0', half] = found;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  if (half !== undefined && (hour < 1 || hour > 12)) return null;
  const isAfternoon = half?.toLowerCase().startsWith('p') ?? false;
  const hours = half === undefined ? hour : (hour % 12) + (isAfternoon ? 12 : 0);
  return {
    rest: text.slice(0, found.index),
    clockMs: hours * hourMs + minute * minuteMs + second * 1_000,
    fractionMs: Math.floor(Number(`0.${fraction}`) * 1_000),
  };
}
