import type { Database } from '../../../store/database.ts';
import type { CleaningKind } from '../core/cleaning-terms.ts';

/** How often a line is cleaned, by kind. */
export interface CleaningPlan {
  readonly tapId: number;
  readonly kind: CleaningKind;
  readonly intervalDays: number;
  /** Name of the preset that it was made from; null for an interval of the bar. */
  readonly preset: string | null;
  /** It counts from then until the first cleaning, Unix milliseconds. */
  readonly sinceMs: number;
}

interface PlanRow {
  tap_id: number;
  kind: CleaningKind;
  interval_days: number;
  preset: string | null;
  since_ms: number;
}

/** The plans of all taps: a few for each. */
export function cleaningPlansTable(db: Database) {
  const all = db.prepare<[], PlanRow>(
    `SELECT p.* FROM cleaning_plans p JOIN taps t ON t.id = p.tap_id
     WHERE t.is_deleted = 0 ORDER BY t.sort_order, t.id, p.kind`,
  );
  const find = db.prepare<[tapId: number, kind: string], PlanRow>(
    'SELECT * FROM cleaning_plans WHERE tap_id = ? AND kind = ?',
  );
  const set = db
    .prepare<CleaningPlan, number>(
      `INSERT INTO cleaning_plans (tap_id, kind, interval_days, preset, since_ms)
     VALUES (@tapId, @kind, @intervalDays, @preset, @sinceMs)
     ON CONFLICT (tap_id, kind) DO UPDATE SET interval_days = excluded.interval_days, preset = excluded.preset,
       since_ms = excluded.since_ms RETURNING id`,
    )
    .pluck();
  const remove = db
    .prepare<[tapId: number, kind: string], number>(
      'DELETE FROM cleaning_plans WHERE tap_id = ? AND kind = ? RETURNING id',
    )
    .pluck();
  return {
    /** In the order of the taps. */
    all: (): readonly CleaningPlan[] => all.all().map(toPlan),
    find(tapId: number, kind: CleaningKind): CleaningPlan | null {
      const row = find.get(tapId, kind);
      return row === undefined ? null : toPlan(row);
    },
    /** Returns its id. */
    set: (plan: CleaningPlan): number => set.get(plan)!,
    /** Returns its id; null without such a plan. */
    remove: (tapId: number, kind: CleaningKind): number | null => remove.get(tapId, kind) ?? null,
  };
}

const toPlan = (row: PlanRow): CleaningPlan => ({
  tapId: row.tap_id,
  kind: row.kind,
  intervalDays: row.interval_days,
  preset: row.preset,
  sinceMs: row.since_ms,
});
