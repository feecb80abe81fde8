import { AppError } from '../../../../core/app-error.ts';
import type { BusinessDay } from '../../../../core/clock/business-days.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import { cachedResults } from '../../../../engine/reports/cached-results.ts';
import { daysOfSpan } from '../../../../engine/reports/day-span.ts';
import type { ActorContext } from '../../../../engine/shared/actor-context.ts';
import type { SalesParts } from '../parts.ts';
import type { BalanceView, MonthBalanceView } from './balance-view.ts';
import { createClosedMonths, monthDays } from './closed-months.ts';
import { findMonthToMail, mailMonth } from './mail-month.ts';
import { findRepeatedDifferences, type WatchedBeverage } from './repeated-differences.ts';
import { computeSpanBalance, type SpanBalance } from './span-balance.ts';

/** Poured against sold. Everything but closed months is computed on demand, and cached until something is written. */
export function createBalances(parts: SalesParts) {
  const { store } = parts;
  const cached = cachedResults<SpanBalance>(store);
  const closedMonths = createClosedMonths(parts);
  const rule = () => ({
    timeZone: store.site.read().timeZone,
    endsMinutes: store.reports.settings().dayEndsMinutes,
  });

  const viewDays = (days: readonly BusinessDay[], now: Moment): BalanceView => {
    const [first, last] = [days[0]!, days.at(-1)!];
    return {
      ...cached(`${first.date}/${last.date}`, () => computeSpanBalance(store, days, rule())),
      first: first.date,
      last: last.date,
      sinceMs: first.sinceMs,
      untilMs: last.untilMs,
      isOver: now.wallMs >= last.untilMs,
      currency: store.reports.settings().currency,
    };
  };
  const viewMonth = (month: string, now: Moment): MonthBalanceView => {
    const balance = viewDays(daysOfSpan(monthDays(month, rule()), rule(), now), now);
    return { ...balance, month, closed: closedMonths.view(month, balance) };
  };

  return {
    /** Of the business days from `first` (default `last`) to `last` (default today), at most 92. Throws `invalid_request`. */
    span: (request: { readonly first?: string; readonly last?: string }, now: Moment): BalanceView =>
      store.snapshot(() => viewDays(daysOfSpan(request, rule(), now), now)),

    /** Of a month, `YYYY-MM`. Throws `invalid_request`. */
    month: (month: string, now: Moment): MonthBalanceView => store.snapshot(() => viewMonth(month, now)),

    /** The beverages of the last week, for the alarm. Reads seven days. */
    watched: (now: Moment): readonly WatchedBeverage[] =>
      store.snapshot(() => findRepeatedDifferences(store, now.wallMs, rule())),

    /** Mails the balance of the last month once to the readers of the daily report, half a day after it. Called about once a minute. */
    mailMonthWhenDue(now: Moment): void {
      const month = findMonthToMail(store, now, rule());
      if (month === null) return;
      const view = store.snapshot(() => viewMonth(month, now));
      store.transaction(() => mailMonth(store, view, now));
    },

    /** Freezes a month. Throws `conflict` while it runs or when it is closed already. */
    closeMonth(month: string, context: ActorContext): MonthBalanceView {
      const balance = store.snapshot(() => viewMonth(month, context.now));
      if (!balance.isOver)
        throw new AppError('conflict', `The month ${month} is not over.`, { reason: { name: 'month_runs' } });
      closedMonths.close(month, balance, context);
      return store.snapshot(() => viewMonth(month, context.now));
    },

    /** Opens a closed month again. Throws `not_found` for an open one. */
    reopenMonth(month: string, context: ActorContext): MonthBalanceView {
      // A month that does not exist is another error than one that is open.
      monthDays(month, rule());
      closedMonths.reopen(month, context);
      return store.snapshot(() => viewMonth(month, context.now));
    },
  };
}

export type Balances = ReturnType<typeof createBalances>;
