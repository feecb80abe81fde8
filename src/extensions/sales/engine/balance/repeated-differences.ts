import { addDays, businessDayAt, type DayRule } from '../../../../core/clock/business-days.ts';
import type { Balance } from '../../core/balance/balance.ts';
import { alarmDays, balanceAlarm, type RepeatedDifference } from '../../core/balance/verdict.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import { computeSpanBalance } from './span-balance.ts';

/** A beverage that was compared on one of the last business days. */
export interface WatchedBeverage {
  readonly beverageId: number;
  readonly name: string;
  /** Null: it agrees, or differs too seldom. */
  readonly difference: RepeatedDifference | null;
}

/**
 * The beverages of the last seven business days that are over, with a difference in the same direction on three of them. A day without
 * lines of the till, or on which a till or a meter was silent, says nothing: its file may not have come yet.
 */
export function findRepeatedDifferences(
  store: SalesDatabase,
  nowMs: number,
  rule: DayRule,
): readonly WatchedBeverage[] {
  const today = businessDayAt(nowMs, rule);
  const watched = new Map<number, { name: string; days: Balance[] }>();
  for (let back = alarmDays; back >= 1; back--) {
    const { lines, findings, beverages } = computeSpanBalance(store, [addDays(today, -back, rule)], rule);
    if (lines === 0 || findings.some(({ kind }) => kind === 'till_silent' || kind === 'meter_silent'))
      continue;
    for (const { beverageId, name, isCompared, balance } of beverages) {
      if (!isCompared) continue;
      const known = watched.get(beverageId) ?? { name, days: [] };
      known.days.push(balance);
      watched.set(beverageId, known);
    }
  }
  return [...watched].map(([beverageId, { name, days }]) => ({
    beverageId,
    name,
    difference: balanceAlarm(days),
  }));
}
