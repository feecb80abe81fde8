import { isWeekday, monthOf, toPlainWord } from './month-names.ts';

/** Orders of day, month and year in dates of numbers only. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A date of a file as midnight in UTC; `order`: it has another order than the given one, or needs one. Null: it is no date. */
export type FileDate = { readonly ms: number } | 'order' | null;

const numeric = /^(\d{1,4})\s?([-/. ])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?$/;
const weekdayBeforeNumber = /^([\p{L}.]+),?\s+(?=\d{1,4}\s?[-/.])/u;
const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const fillers = new Set(['de', 'del', 'of', 'the', 'den', 'der', 'le', 'el', 'am', 'op', 'on']);

/**
 * Parses a date: of numbers in the given order, or with the name of a month. A year of four digits that comes first is followed by month and
 * day; a year of two digits never comes first. Without an order (null) a date is read where its numbers leave no doubt.
 */
export function parseDate(written: string, order: DateOrder | null): FileDate {
  const text = written.replace(weekdayBeforeNumber, (found, word: string) => (isWeekday(word) ? '' : found));
  const packed = compact.exec(text);
  if (packed !== null) return toDate(packed[1]!, packed[2]!, packed[3]!);
  const parts = numeric.exec(text);
  if (parts === null) return parseNamed(text);
  const [, first = '', , second = '', last = ''] = parts;
  if (first.length === 4) return last.length > 2 ? null : toDate(first, second, last);
  if (first.length > 2 || (last.length !== 4 && last.length !== 2)) return null;
  const readings = { dmy: toDate(last, second, first), mdy: toDate(last, first, second) };
  if (order === 'ymd') return readings.dmy === null && readings.mdy === null ? null : 'order';
  const other = order === 'dmy' ? readings.mdy : readings.dmy;
  if (order !== null) return readings[order] ?? (other === null ? null : 'order');
  if (readings.dmy === null || readings.mdy === null) return readings.dmy ?? readings.mdy;
  return readings.dmy.ms === readings.mdy.ms ? readings.dmy : 'order';
}

/** What a text that begins with a date says about the order of day and month: null, when it needs none. */
export function readDateOrder(text: string): DateOrder | 'doubtful' | null {
  const date = /^(?:[\p{L}.]+,?\s+)?(\d{1,2}\s?([-/. ])\s?\d{1,2}\s?\2\s?\d{2,4})(?!\d)/u.exec(
    text.trim(),
  )?.[1];
  if (date === undefined) return null;
  const [asDmy, asMdy] = [parseDate(date, 'dmy'), parseDate(date, 'mdy')];
  const isDmy = asDmy !== null && asDmy !== 'order';
  const isMdy = asMdy !== null && asMdy !== 'order';
  if (isDmy && isMdy) return asDmy.ms === asMdy.ms ? null : 'doubtful';
  return isDmy ? 'dmy' : isMdy ? 'mdy' : null;
}

/** `2 May 2026`, `May 2, 2026`, `sam. 2 mai 2026`, `2. März 2026` or `02-May-26`. */
function parseNamed(text: string): FileDate {
  if (!/\p{L}/u.test(text)) return null;
  const words = text
    .split(/[\s,/-]+|(?<=\d)\.|\.(?=\d)/)
    .map((word) => word.replace(/^(\d{1,2})(?:st|nd|rd|th|er|e|º|°)$/i, '$1'))
    .filter((word) => word !== '' && !fillers.has(toPlainWord(word)));
  // `mar.` and `ma` are days of the week, too: only the first word is one, and only beside a month.
  const named = words.filter((word) => /^\p{L}/u.test(word));
  const [firstWord] = words;
  const hasWeekday =
    firstWord !== undefined &&
    (isWeekday(firstWord) || monthOf(firstWord) !== null) &&
    named.length === 2 &&
    named[0] === firstWord;
  const rest = hasWeekday ? words.slice(1) : words;
  const month = rest.map(monthOf).find((found) => found !== null);
  const numbers = rest.filter((word) => /^\d+$/.test(word));
  if (month === undefined || rest.length !== 3 || numbers.length !== 2) return null;
  const [first = '', second = ''] = numbers;
  const [year, day] = first.length === 4 ? [first, second] : [second, first];
  return day.length > 2 || (year.length !== 4 && year.length !== 2) ? null : toDate(year, String(month), day);
}

function toDate(yearText: string, monthText: string, dayText: string): { readonly ms: number } | null {
  const [month, day] = [Number(monthText), Number(dayText)];
  const year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText);
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && year >= 1970 && year <= 2100 ? { ms } : null;
}
