import type { Size } from './difference-parts.ts';
import type { BalanceFacts, FindMeter } from './facts.ts';
import type { Fill } from './fills.ts';
import type { HotTime, WeekHour } from './times.ts';

/** A product of the till that nobody has mapped. */
export interface UnmappedProduct {
  readonly itemId: number;
  readonly lines: number;
  readonly quantity: number;
  readonly netMinor: number;
  /** What its name says; null where it does not. */
  readonly beverageId: number | null;
  readonly liquidMl: number | null;
}

/** What to check, and how much of the difference it is. */
export type BalanceFinding =
  | ({ readonly kind: 'unmapped'; readonly size: Size | null } & UnmappedProduct)
  | { readonly kind: 'not_sold' | 'not_poured_at_all'; readonly beverageId: number; readonly size: Size }
  | {
      readonly kind: 'till_silent';
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly pours: number;
      readonly size: Size;
    }
  | {
      readonly kind: 'meter_silent';
      readonly beverageId: number;
      readonly sinceMs: number;
      readonly untilMs: number;
      readonly size: Size;
    }
  | { readonly kind: 'missed_ticks'; readonly beverageId: number; readonly size: Size }
  | { readonly kind: 'held'; readonly pours: number; readonly size: Size }
  | {
      readonly kind: 'cleaning';
      readonly beverageId: number;
      readonly tapId: number | null;
      readonly timeMs: number;
      readonly size: Size;
    }
  | {
      readonly kind: 'overpour' | 'short_pour';
      readonly beverageId: number;
      readonly fill: Fill;
      readonly size: Size;
    }
  | {
      readonly kind: 'not_rung' | 'not_poured';
      readonly beverageId: number;
      readonly when: HotTime | null;
      readonly size: Size;
    }
  | { readonly kind: 'foam'; readonly beverageId: number; readonly share: number }
  | { readonly kind: 'till_offset'; readonly minutes: number };

export interface FindingsInput {
  readonly facts: BalanceFacts;
  readonly findMeter: FindMeter;
  /** The business days of the span, oldest first. */
  readonly days: readonly { readonly sinceMs: number; readonly untilMs: number }[];
  /** Times of all lines of all tills, as the tills stamp them: also of food. */
  readonly lineTimesMs: readonly number[];
  readonly unmapped: readonly UnmappedProduct[];
  /** How much later the lines are than the pours, see `findTillOffset`; null where it is not known. */
  readonly offsetMin: number | null;
  readonly findWeekHour: (timeMs: number) => WeekHour;
  /** Hour at which the business day begins. */
  readonly dayStartHour: number;
}
