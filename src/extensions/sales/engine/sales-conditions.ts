import type { Moment } from '../../../core/clock/moment.ts';
import type { SalesAlarmCondition } from '../core/alarm-kinds.ts';
import type { Balances } from './balance/balances.ts';
import type { Sales } from './sales.ts';

const hourMs = 3_600_000;

/** Only business days that are over are compared: more often nothing changes but what was imported or corrected. */
const checkEveryMs = 6 * hourMs;

/** Beers whose sales differ from what was poured on three of the last seven business days. */
export function createBalanceConditions({
  sales,
  balances,
}: {
  readonly sales: Pick<Sales, 'tills'>;
  readonly balances: Pick<Balances, 'watched'>;
}) {
  let checkedMonoMs: number | null = null;
  let conditions: readonly SalesAlarmCondition[] = [];
  return (now: Moment): readonly SalesAlarmCondition[] => {
    if (!now.synced) return conditions.map((one) => ({ ...one, state: 'unknown' }));
    if (checkedMonoMs !== null && now.monoMs - checkedMonoMs < checkEveryMs) return conditions;
    checkedMonoMs = now.monoMs;
    // A bar without a till has no balance.
    conditions = sales.tills.list().length === 0 ? [] : balances.watched(now).map(toCondition);
    return conditions;
  };
}

const toCondition = ({
  beverageId,
  name,
  difference,
}: ReturnType<Balances['watched']>[number]): SalesAlarmCondition => ({
  kind: 'balance_differs',
  subject: `beverage-${beverageId}`,
  state: difference === null ? 'good' : 'bad',
  lastsMs: 0,
  clearsAfterMs: 0,
  values: {
    beer: name,
    direction: difference?.kind ?? 'poured_not_rung',
    days: difference?.days ?? 0,
    differenceMl: difference?.volumeMl ?? 0,
  },
});
