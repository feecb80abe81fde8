import type { ClosedMonthView } from './closed-months.ts';
import type { SpanBalance } from './span-balance.ts';

/** Poured against sold of a span, with what the page needs beside it. */
export interface BalanceView extends SpanBalance {
  readonly first: string;
  readonly last: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** False while its last day has not ended. */
  readonly isOver: boolean;
  readonly currency: string;
}

/** A month of business days; frozen once it is closed. */
export interface MonthBalanceView extends BalanceView {
  readonly month: string;
  readonly closed: ClosedMonthView | null;
}
