/** Sums of beer, as the daemon says them. */
export interface Amounts {
  readonly drinks: number;
  readonly poured_ml: number;
  readonly spills: number;
  readonly spilled_ml: number;
  readonly held: number;
  readonly held_ml: number;
  readonly revenue: number | null;
}

/** Business days from one date to another. */
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

/** The first and the last date of a span. */
export type DateRange = readonly [first: string, last: string];

const dayMs = 86_400_000;

/** A date some days away. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

/** The month of a date so far. */
export const monthToDate = (date: string): DateRange => [`${date.slice(0, 8)}01`, date];

/** The month before that of a date. */
export function previousMonth(date: string): DateRange {
  const last = addDays(`${date.slice(0, 8)}01`, -1);
  return monthToDate(last);
}
