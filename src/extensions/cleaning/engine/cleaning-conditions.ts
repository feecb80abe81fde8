import type { Moment } from '../../../core/clock/moment.ts';
import type { CleaningAlarmCondition as Condition } from '../core/alarm-kinds.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { CleaningView } from './cleaning-log.ts';
import type { CleaningPlanView } from './cleaning-plans.ts';

/** Lines that are to be cleaned today, and those that should have been. A cleaning that does not fail ends the alarm. */
export const detectDueCleanings = (
  store: Pick<CleaningDatabase, 'taps'>,
  plans: readonly CleaningPlanView[],
  now: Moment,
): readonly Condition[] =>
  plans.map(
    ({ tapId, kind, daysLeft, state }): Condition => ({
      kind: 'cleaning_due',
      subject: `tap-${tapId}-${kind}`,
      state: !now.synced ? 'unknown' : state === 'due' || state === 'overdue' ? 'bad' : 'good',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: { tap: store.taps.byId(tapId)?.name ?? '', kind, days: Math.max(0, -daysLeft) },
    }),
  );

/** Cleanings that ended by themselves. Their entry in the log, or dismissing them, ends the alarm. */
export const detectUnfinishedCleanings = (unfinished: readonly CleaningView[]): readonly Condition[] =>
  unfinished.map(
    ({ id, tapName, pours }): Condition => ({
      kind: 'cleaning_unfinished',
      subject: `cleaning-${id}`,
      state: 'bad',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: { tap: tapName, pouredMl: pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0) },
    }),
  );
