import { addDays, type BusinessDay, type DayRule } from '../../core/clock/business-days.ts';

/** A page of the list of business days, which begins with today and ends with the first day on record. */
export interface DayPage<T> {
  /** Days of the whole list. */
  readonly total: number;
  readonly limit: number;
  /** Newest first. */
  readonly items: readonly T[];
  /** The `last` of the page with the days before; null at the end. */
  readonly olderLast: string | null;
  /** The `last` of the page with the days after; null at the beginning. */
  readonly newerLast: string | null;
}

interface DayRange {
  /** The first day on record. Never after `today`, also when the clock was wrong. */
  readonly first: BusinessDay;
  readonly today: BusinessDay;
}

const dayMs = 86_400_000;

/** Days from `first` to `last`, both included. */
const countDays = (first: BusinessDay, last: BusinessDay): number =>
  Math.round((Date.parse(last.date) - Date.parse(first.date)) / dayMs) + 1;

/** The days from `last` back. A page contains exactly the days of its span that the list has. */
export function pageOfDays(
  { first, today }: DayRange,
  { last: requested, limit }: { readonly last: BusinessDay; readonly limit: number },
  rule: DayRule,
): DayPage<BusinessDay> {
  // A page before the first one has no days and would need many steps to the list; so would one after the last one.
  const isAfter = countDays(today, requested) > limit;
  const last = isAfter ? today : requested;
  const oldest = addDays(last, 1 - limit, rule);
  const isBefore = last.date < first.date;
  const newer = isBefore ? addDays(first, limit - 1, rule) : addDays(last, limit, rule);
  const span = Array.from({ length: limit }, (_, i) => addDays(last, -i, rule));
  return {
    total: countDays(first, today),
    limit,
    items: span.filter(({ date }) => date >= first.date && date <= today.date),
    olderLast: oldest.date > first.date ? addDays(oldest, -1, rule).date : null,
    newerLast: last.date < today.date ? newer.date : null,
  };
}
