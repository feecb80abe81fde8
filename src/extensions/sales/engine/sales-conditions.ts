import { type Condition, type Detector, hourMs } from '../../../services/monitors/conditions/condition.ts';

/** Only business days that are over are compared: more often nothing changes but what was imported or corrected. */
const checkEveryMs = 6 * hourMs;

/** Beers whose sales differ from what was poured on three of the last seven business days. */
export function detectBalance(): Detector {
  let checkedMonoMs: number | null = null;
  let conditions: readonly Condition[] = [];
  return (engine, now) => {
    if (!now.synced) return conditions.map((one) => ({ ...one, state: 'unknown' }));
    if (checkedMonoMs !== null && now.monoMs - checkedMonoMs < checkEveryMs) return conditions;
    checkedMonoMs = now.monoMs;
    // A bar without a till has no balance.
    conditions =
      engine.sales.tills.list().length === 0
        ? []
        : engine.balances.watched(now).map(
            ({ beverageId, name, difference }): Condition => ({
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
            }),
          );
    return conditions;
  };
}
