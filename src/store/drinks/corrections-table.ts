import type { Database } from '../database.ts';

/** Action of the entry that says which parts of a reported drink did not fit. */
export const reportShortened = 'drink.report_shortened';

/** A change that can be undone: what it changed before and after, as JSON. It has the id of its audit entry. */
export interface CorrectionRow {
  readonly id: number;
  /** Name of its kind: the engine knows how each is undone. */
  readonly kind: string;
  readonly action: string;
  readonly before: string;
  readonly after: string;
  /** Id of the entry that undid it. */
  readonly undoneBy: number | null;
}

/** A drink whose volume a calibration changed. */
interface RecalibratedDrink {
  readonly drinkId: number;
  readonly beforeMl: number;
  readonly afterMl: number;
}

/** A correction in the history of one drink. */
export interface DrinkCorrectionRow {
  readonly id: number;
  /** Unix milliseconds. */
  readonly timeMs: number;
  readonly action: string;
  /** Who corrected it; null for the daemon, the console and an erased user. */
  readonly username: string | null;
  /** JSON text of the audit entry; null when there was nothing. */
  readonly before: string | null;
  readonly after: string | null;
  /** Volumes of this drink; set by a calibration only. */
  readonly beforeMl: number | null;
  readonly afterMl: number | null;
  readonly undoneBy: number | null;
}

interface Row {
  id: number;
  kind: string;
  action: string;
  before: string;
  after: string;
  undone_by: number | null;
}

/** Corrections of drinks, kegs and spills, and the data to undo them. */
export function correctionsTable(db: Database) {
  const byId = db.prepare<[number], Row>(
    'SELECT c.*, a.action FROM corrections c JOIN audit_entries a ON a.id = c.id WHERE c.id = ?',
  );
  const insert = db.prepare<{ id: number; kind: string; before: string; after: string }>(
    'INSERT INTO corrections (id, kind, before, after) VALUES (@id, @kind, @before, @after)',
  );
  const addCorrectedDrink = db.prepare<{
    id: number;
    drinkId: number;
    beforeMl: number | null;
    afterMl: number | null;
  }>(
    `INSERT INTO corrected_drinks (drink_id, correction_id, before_ml, after_ml)
     VALUES (@drinkId, @id, @beforeMl, @afterMl)`,
  );
  const latest = db
    .prepare<[number], number | null>(
      `SELECT max(t.correction_id) FROM corrected_drinks t JOIN corrections c ON c.id = t.correction_id
       WHERE t.drink_id = ? AND c.undone_by IS NULL`,
    )
    .pluck();
  const later = db.prepare<[number], { drink_id: number; correction_id: number | null }>(
    `SELECT later.drink_id, max(later.correction_id) AS correction_id FROM corrected_drinks mine
       JOIN corrected_drinks later ON later.drink_id = mine.drink_id AND later.correction_id > mine.correction_id
       JOIN corrections c ON c.id = later.correction_id AND c.undone_by IS NULL
     WHERE mine.correction_id = ?`,
  );
  const byDrink = db.prepare<[number, number], DrinkCorrectionRow>(
    `SELECT c.id, a.time_ms AS timeMs, a.action, u.username, a.before, a.after, t.before_ml AS beforeMl,
       t.after_ml AS afterMl, c.undone_by AS undoneBy
     FROM corrected_drinks t JOIN corrections c ON c.id = t.correction_id JOIN audit_entries a ON a.id = c.id
       LEFT JOIN users u ON u.id = a.user_id
     WHERE t.drink_id = ? ORDER BY t.correction_id DESC LIMIT ?`,
  );
  const shortened = db.prepare<[string], DrinkCorrectionRow>(
    `SELECT a.id, a.time_ms AS timeMs, a.action, u.username, a.before, a.after, NULL AS beforeMl, NULL AS afterMl, NULL AS undoneBy
     FROM audit_entries a LEFT JOIN users u ON u.id = a.user_id
     WHERE a.subject_kind = 'drink' AND a.subject_id = ? AND a.action = '${reportShortened}'`,
  );
  const drinks = db.prepare<[number], { drink_id: number; before_ml: number; after_ml: number }>(
    'SELECT drink_id, before_ml, after_ml FROM corrected_drinks WHERE correction_id = ? ORDER BY drink_id',
  );
  const latestOf = db
    .prepare<{ kind: string; subjectKind: string; subjectId: string }, number | null>(
      `SELECT max(c.id) FROM audit_entries a JOIN corrections c ON c.id = a.id
       WHERE a.subject_kind = @subjectKind AND a.subject_id = @subjectId AND c.kind = @kind AND c.undone_by IS NULL`,
    )
    .pluck();
  const undo = db.prepare<[number, number]>('UPDATE corrections SET undone_by = ? WHERE id = ?');
  return {
    byId(id: number): CorrectionRow | null {
      const row = byId.get(id);
      return row === undefined ? null : { ...row, undoneBy: row.undone_by };
    },
    add: (correction: { id: number; kind: string; before: string; after: string }): void =>
      void insert.run(correction),
    /** Records that the correction changed the drink; a calibration adds the volumes. */
    addCorrectedDrink: (id: number, drinkId: number, volumes?: { beforeMl: number; afterMl: number }): void =>
      void addCorrectedDrink.run({
        id,
        drinkId,
        beforeMl: volumes?.beforeMl ?? null,
        afterMl: volumes?.afterMl ?? null,
      }),
    /** The newest corrections of a drink, newest first, also undone ones, and what was left out of its report. */
    byDrink: (drinkId: number, limit: number): readonly DrinkCorrectionRow[] =>
      [...byDrink.all(drinkId, limit), ...shortened.all(String(drinkId))]
        .sort((a, b) => b.id - a.id)
        .slice(0, limit),
    /** The latest correction of a drink that was not undone. */
    latestByDrink: (drinkId: number): number | null => latest.get(drinkId) ?? null,
    /** The latest correction of that kind with that subject in the audit log that was not undone. */
    latestOf: (kind: string, subject: { readonly kind: string; readonly id: number }): number | null =>
      latestOf.get({ kind, subjectKind: subject.kind, subjectId: String(subject.id) }) ?? null,
    /** The latest later correction of one of its drinks that was not undone. */
    laterThan(id: number): { readonly drinkId: number; readonly correctionId: number } | null {
      const row = later.get(id);
      return row?.correction_id == null ? null : { drinkId: row.drink_id, correctionId: row.correction_id };
    },
    /** The drinks that the correction changed, by ascending id. */
    drinkIds: (id: number): readonly number[] => drinks.all(id).map((row) => row.drink_id),
    recalibrated: (id: number): readonly RecalibratedDrink[] =>
      drinks
        .all(id)
        .map((row) => ({ drinkId: row.drink_id, beforeMl: row.before_ml, afterMl: row.after_ml })),
    setUndone: (id: number, by: number): void => void undo.run(by, id),
  };
}
