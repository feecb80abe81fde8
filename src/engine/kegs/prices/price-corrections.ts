import type { Moment } from '../../../core/clock/moment.ts';
import { fromMinor, minorDigits } from '../../../core/kegs/money.ts';
import type { Store } from '../../../store/store.ts';
import { validationError } from '../../shared/bounds.ts';

/** What a correction of past prices changed. */
export interface Revaluation {
  /** Drinks of the beverage since then. */
  readonly drinks: number;
  /** Their revenue before and after, in the smallest unit of the currency; null without prices. */
  readonly beforeMinor: number | null;
  readonly afterMinor: number | null;
}

interface DrinksValue {
  readonly drinks: number;
  readonly revenueMinor: number | null;
}

/** A quarter, days: the period of a tax return, and not more drinks than a Pi values at once. */
const maxDays = 92;
const dayMs = 86_400_000;

/** Prices are corrected from a time of the last 92 days on. */
export function validateSince(sinceMs: number, { wallMs }: Moment): number {
  if (sinceMs <= wallMs && sinceMs > wallMs - maxDays * dayMs) return Math.round(sinceMs);
  throw validationError('since', `must be within the last ${maxDays} days`, {
    name: 'days_back',
    most: maxDays,
  });
}

/** Number and revenue of the drinks of a beverage since then; null without a time. */
export function valueDrinks(store: Store, beverageId: number, sinceMs: number | null): DrinksValue | null {
  if (sinceMs === null) return null;
  const totals = store.reports
    .poured({ sinceMs, untilMs: Number.MAX_SAFE_INTEGER })
    .filter(({ kegId }) => kegId !== null && store.kegs.byId(kegId)?.beverageId === beverageId);
  const priced = totals.flatMap(({ revenueMinor }) => (revenueMinor === null ? [] : [revenueMinor]));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    drinks: sum(totals.map(({ drinks }) => drinks)),
    revenueMinor: priced.length === 0 ? null : Math.round(sum(priced)),
  };
}

/** The value as text for the audit log, which shows it as it is. */
export function toRevenueText(store: Store, value: DrinksValue | null): { readonly revenue?: string } {
  if (value === null) return {};
  const { currency } = store.reports.settings();
  const sum = fromMinor(value.revenueMinor ?? 0, currency).toFixed(minorDigits(currency));
  return { revenue: `${sum} ${currency}` };
}
