import {
  addDays,
  type BusinessDay,
  businessDay,
  businessDayAt,
  type DayRule,
} from '../../core/clock/business-days.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { validationError } from '../shared/bounds.ts';

/** A quarter, days: the period of a tax return. */
const maxSpanDays = 92;
const dayMs = 86_400_000;

/** Throws `invalid_request` for a date that does not exist. */
export function parseBusinessDay(field: string, date: string, rule: DayRule): BusinessDay {
  const day = businessDay(date, rule);
  if (day === null) throw validationError(field, 'must be an existing date, YYYY-MM-DD', { name: 'date' });
  return day;
}

/** All business days from `first` (default `last`) to `last` (default today), oldest first, at most 92. Throws `invalid_request`. */
export function daysOfSpan(
  { first, last }: { readonly first?: string; readonly last?: string },
  rule: DayRule,
  now: Moment,
): readonly BusinessDay[] {
  const newest = last === undefined ? businessDayAt(now.wallMs, rule) : parseBusinessDay('last', last, rule);
  const oldest = first === undefined ? newest : parseBusinessDay('first', first, rule);
  const count = (Date.parse(newest.date) - Date.parse(oldest.date)) / dayMs + 1;
  if (count < 1 || count > maxSpanDays) {
    throw validationError(
      'last',
      `must be at most ${maxSpanDays - 1} days after the first, and not before it`,
      { name: 'days_from_first', most: maxSpanDays - 1 },
    );
  }
  return Array.from({ length: count }, (_, i) => addDays(oldest, i, rule));
}
