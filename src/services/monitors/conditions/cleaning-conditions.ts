import type { Condition, Detector } from './condition.ts';

/** Lines that are to be cleaned today, and those that should have been. A cleaning that does not fail ends the alarm. */
export const detectDueCleanings: Detector = (engine, now) => {
  const taps = new Map(engine.taps.list().map(({ tap }) => [tap.id, tap.name]));
  return engine.cleanings.plans(now).map(
    ({ tapId, kind, daysLeft, state }): Condition => ({
      kind: 'cleaning_due',
      subject: `tap-${tapId}-${kind}`,
      state: !now.synced ? 'unknown' : state === 'due' || state === 'overdue' ? 'bad' : 'good',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: { tap: taps.get(tapId) ?? '', kind, days: Math.max(0, -daysLeft) },
    }),
  );
};

/** Cleanings that ended by themselves. Their entry in the log, or dismissing them, ends the alarm. */
export const detectUnfinishedCleanings: Detector = (engine) =>
  engine.cleanings.unfinished().map(
    ({ id, tapName, pours }): Condition => ({
      kind: 'cleaning_unfinished',
      subject: `cleaning-${id}`,
      state: 'bad',
      lastsMs: 0,
      clearsAfterMs: 0,
      values: { tap: tapName, pouredMl: pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0) },
    }),
  );
