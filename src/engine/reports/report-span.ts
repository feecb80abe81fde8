import type { BusinessDay } from '../../core/clock/business-days.ts';
import { type Amounts, addAmounts } from './report-amounts.ts';

/** Totals of one business day. */
export interface DayReport extends Amounts {
  readonly day: BusinessDay;
  /** False while the day has not ended. */
  readonly isOver: boolean;
  readonly currency: string;
  /** Per tap with any flow; null stands for a deleted tap or none. */
  readonly taps: readonly (Amounts & { readonly tapId: number | null; readonly name: string | null })[];
  /** Per keg; held pours belong to none. */
  readonly kegs: readonly (Amounts & { readonly kegId: number | null; readonly beverage: string | null })[];
}

/** Totals of a range of business days. */
export interface SpanReport extends Amounts {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** False while its last day has not ended. */
  readonly isOver: boolean;
  readonly currency: string;
  readonly taps: DayReport['taps'];
  readonly kegs: DayReport['kegs'];
  /** Oldest first. */
  readonly days: readonly DayReport[];
}

/** The sum of consecutive business days, at least one, oldest first. */
export function toSpanReport(days: readonly DayReport[]): SpanReport {
  const first = days[0]!;
  const last = days.at(-1)!;
  return {
    sinceMs: first.day.sinceMs,
    untilMs: last.day.untilMs,
    isOver: last.isOver,
    currency: last.currency,
    ...addAmounts(days),
    taps: groups(
      days.flatMap(({ taps }) => taps),
      ({ tapId }) => tapId,
    ),
    kegs: groups(
      days.flatMap(({ kegs }) => kegs),
      ({ kegId }) => kegId,
    ),
    days,
  };
}

/** Groups by id and adds up; ordered by id, parts without id last. */
function groups<T extends Amounts>(parts: readonly T[], toId: (part: T) => number | null): readonly T[] {
  const byId = new Map<number | null, T[]>();
  for (const part of parts) byId.set(toId(part), [...(byId.get(toId(part)) ?? []), part]);
  const rank = (id: number | null) => id ?? Number.MAX_SAFE_INTEGER;
  return [...byId]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([, same]) => ({ ...same.at(-1)!, ...addAmounts(same) }));
}
