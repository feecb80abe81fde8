/** Totals in the API's form. */
export interface Amounts {
  readonly drinks: number;
  readonly poured_ml: number;
  readonly spills: number;
  readonly spilled_ml: number;
  readonly held: number;
  readonly held_ml: number;
  readonly revenue: number | null;
}

/** The report of a range of business days. */
export interface Span extends Amounts {
  readonly first: string;
  readonly last: string;
  readonly since: string;
  readonly until: string;
  readonly is_over: boolean;
  readonly currency: string;
  readonly taps: readonly (Amounts & { readonly tap_id: string | null; readonly name: string | null })[];
  readonly kegs: readonly (Amounts & { readonly keg_id: number | null; readonly beverage: string | null })[];
  readonly days: readonly (Amounts & { readonly date: string })[];
}

/** First and last date, both included. */
export type DateRange = readonly [first: string, last: string];

const dayMs = 86_400_000;

/** Adds days to a date `YYYY-MM-DD`. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** From the first of the month to the date. */
export const monthToDate = (date: string): DateRange => [`${date.slice(0, 8)}01`, date];

/** The whole month before the date's month. */
export function previousMonth(date: string): DateRange {
  const last = addDays(`${date.slice(0, 8)}01`, -1);
  return monthToDate(last);
}
