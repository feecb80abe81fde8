import { offsetMs } from '../clock/local-days.ts';
import { parseTime, timesEndMs } from '../clock/parse-time.ts';
import type { SalesFormat } from './sales-format.ts';

/** A time as it stands in a file: what clocks of the till's zone showed, or an instant where the file says the zone. */
export type WrittenTime =
  | { readonly kind: 'shown'; readonly shownMs: number }
  | { readonly kind: 'instant'; readonly ms: number };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Offsets of all zones change at multiples of a quarter of an hour. */
const quarterMs = 15 * minuteMs;
/** Quarters whose instants are kept; a file of a year has some 35 000. */
const maxKept = 4_096;
/** The lines of a file may be in a slightly other order than their times. */
const disorderMs = 10 * minuteMs;

const withZone = /T?\d\d:\d\d(?::\d\d(?:\.\d+)?)?\s*(?:Z|[+-]\d\d:\d\d)$/i;
const dateParts = /^(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})$/;
const timeParts = /^(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,]\d+)?)?\s*(a\.?m\.?|p\.?m\.?)?$/i;

/** Parses a date with its time, which may be in one text or in two. Null for what no calendar has. */
export function parseWrittenTime(
  date: string,
  time: string,
  order: SalesFormat['dateOrder'],
): WrittenTime | null {
  const text = `${date.trim()} ${time.trim()}`.trim();
  if (text.length > 64) return null;
  if (withZone.test(text)) {
    const ms = parseTime(text.replace(/\s+(?=[Z+-])/i, '').replace(/^(\S+) (?=\d)/, '$1T'), 'UTC');
    return ms === null ? null : { kind: 'instant', ms };
  }
  const [, day = '', clock = ''] = /^([\d/.-]+)(?:[T\s]+(.+))?$/i.exec(text) ?? [];
  const dateMs = parseDate(day, order);
  // A line without a time of day cannot be put into a business day.
  const clockMs = parseClock(clock);
  if (dateMs === null || clockMs === null) return null;
  const shownMs = dateMs + clockMs;
  return shownMs >= 0 && shownMs < timesEndMs ? { kind: 'shown', shownMs } : null;
}

function parseDate(text: string, order: SalesFormat['dateOrder']): number | null {
  const parts = dateParts.exec(text)?.slice(1);
  if (parts === undefined) return null;
  const at = (letter: string) => parts[order.indexOf(letter)]!;
  const [yearText, month, day] = [at('y'), Number(at('m')), Number(at('d'))];
  if (at('m').length > 2 || at('d').length > 2 || ![2, 4].includes(yearText.length)) return null;
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
  const ms = Date.UTC(year, month - 1, day);
  const exists = new Date(ms).getUTCMonth() === month - 1 && new Date(ms).getUTCDate() === day;
  return exists && year >= 1970 ? ms : null;
}

function parseClock(text: string): number | null {
  const [, hourText, minuteText, secondText = '0', half] = timeParts.exec(text.trim()) ?? [];
  if (hourText === undefined) return null;
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (minute > 59 || second > 59 || hour > 23) return null;
  if (half === undefined) return hour * hourMs + minute * minuteMs + second * 1_000;
  if (hour < 1 || hour > 12) return null;
  const isAfternoon = half.toLowerCase().startsWith('p');
  return ((hour % 12) + (isAfternoon ? 12 : 0)) * hourMs + minute * minuteMs + second * 1_000;
}

/**
 * Converts the times of one file in their order. A time of the hour that occurs twice when clocks go back is the one that follows the
 * lines before it, or precedes them in a file with the newest line first; the first line means the first. A time that is skipped when
 * clocks go forward is read with the offset before the change.
 */
export function createSaleClock(timeZone: string): (time: WrittenTime) => number {
  const kept = new Map<number, readonly number[]>();
  let lastMs: number | null = null;
  let steps = 0;

  const instants = (shownMs: number): readonly number[] => {
    const quarter = Math.floor(shownMs / quarterMs);
    let offsets = kept.get(quarter);
    if (offsets === undefined) {
      if (kept.size >= maxKept) kept.clear();
      offsets = findOffsets(quarter * quarterMs, timeZone);
      kept.set(quarter, offsets);
    }
    return offsets.map((offset) => shownMs - offset);
  };

  const choose = ([first, second]: readonly number[]): number => {
    if (second === undefined || lastMs === null) return first!;
    const last = lastMs;
    const isDescending = steps < 0;
    const follows = (ms: number) => (isDescending ? ms <= last + disorderMs : ms >= last - disorderMs);
    const inOrder = isDescending ? [second, first!] : [first!, second];
    return inOrder.find(follows) ?? (isDescending ? first! : second);
  };

  return (time) => {
    const ms = time.kind === 'instant' ? time.ms : choose(instants(time.shownMs));
    if (lastMs !== null) steps += Math.sign(ms - lastMs);
    lastMs = ms;
    return ms;
  };
}

/** Offsets from UTC at which clocks of a zone show a time, that of the earlier instant first. */
function findOffsets(shownMs: number, timeZone: string): readonly number[] {
  const before = offsetMs(shownMs - dayMs, timeZone);
  const after = offsetMs(shownMs + dayMs, timeZone);
  if (before === after) return [before];
  const fits = [before, after].filter((offset) => offsetMs(shownMs - offset, timeZone) === offset);
  return fits.length === 0 ? [before] : fits.sort((one, other) => other - one);
}
