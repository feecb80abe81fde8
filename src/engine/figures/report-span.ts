import { type Amounts, addAmounts } from './report-amounts.ts';
import type { DayReport } from './reports.ts';

/** What a bar did from one business day to another. */
export interface SpanReport extends Amounts {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** False while its last day lasts, or is still to come. */
  readonly isOver: boolean;
  readonly currency: string;
  readonly taps: DayReport['taps'];
  readonly kegs: DayReport['kegs'];
  /** The oldest first. */
  readonly days: readonly DayReport[];
}

/** The sum of business days that follow one another, at least one, the oldest first. */
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

/** What has the same id on several days, summed; in the order of the ids, what has none last. */
function groups<T extends Amounts>(parts: readonly T[], toId: (part: T) => number | null): readonly T[] {
  const byId = new Map<number | null, T[]>();
  for (const part of parts) byId.set(toId(part), [...(byId.get(toId(part)) ?? []), part]);
  const rank = (id: number | null) => id ?? Number.MAX_SAFE_INTEGER;
  return [...byId]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([, same]) => ({ ...same.at(-1)!, ...addAmounts(same) }));
}
