import { businessDayAt, type DayRule } from '../../../../core/clock/business-days.ts';
import type { Moment } from '../../../../core/clock/moment.ts';
import { queueOwnMail } from '../../../../engine/shared/queue-mail.ts';
import { toVerdict } from '../../core/balance/verdict.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import type { MonthBalanceView } from './balance-view.ts';
import { type MailedMonth, monthMail } from './month-mail.ts';

/** Tills write the file of the last day in the night or morning after it, milliseconds. */
const afterMonthMs = 12 * 3_600_000;

/** The month, `YYYY-MM`, whose balance is to be mailed; null while there is none. */
export function findMonthToMail(store: SalesDatabase, now: Moment, rule: DayRule): string | null {
  if (!now.synced) return null;
  const [year = 0, number = 0] = businessDayAt(now.wallMs - afterMonthMs, rule)
    .date.split('-')
    .map(Number);
  const month = number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
  const mailed = store.mailedMonth.get();
  return mailed !== null && mailed >= month ? null : month;
}

/** Queues the mail to the readers of the daily report; a month in which nothing was compared has none. Call it in a transaction. */
export function mailMonth(store: SalesDatabase, view: MonthBalanceView, now: Moment): void {
  store.mailedMonth.set(view.month);
  const mailed = toMailedMonth(view);
  if (mailed === null) return;
  for (const to of store.reports.readers()) queueOwnMail(store, monthMail, { to, values: mailed }, now);
}

function toMailedMonth({
  month,
  total,
  currency,
  beverages,
  mostBeverageId,
  findings,
}: MonthBalanceView): MailedMonth | null {
  const { kind, volumeMl, uncertaintyMl, valueMinor, valueUncertaintyMinor } = toVerdict(total);
  if (kind === 'not_compared') return null;
  const beverage = beverages.find(({ beverageId }) => beverageId === mostBeverageId)?.name ?? null;
  return {
    month,
    kind,
    volumeMl,
    uncertaintyMl,
    valueMinor,
    valueUncertaintyMinor,
    currency,
    beverage: kind === 'agrees' ? null : beverage,
    findings: findings.length,
  };
}
