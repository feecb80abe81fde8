import type { Database } from '../database.ts';

/** A keg that is probably empty, since gas came out of its tap; staff are asked. */
export interface SuspectedEmptyKeg {
  readonly tapId: number;
  readonly kegId: number;
  /** When the gas came, Unix milliseconds. */
  readonly timeMs: number;
}

/** The kegs on tap that are probably empty; one of each tap. */
export function emptyKegsTable(db: Database) {
  const set = db.prepare<SuspectedEmptyKeg>(
    `INSERT INTO suspected_empty_kegs (tap_id, keg_id, time_ms) VALUES (@tapId, @kegId, @timeMs)
     ON CONFLICT (tap_id) DO UPDATE SET time_ms = CASE WHEN keg_id = excluded.keg_id THEN time_ms ELSE excluded.time_ms END,
       keg_id = excluded.keg_id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM suspected_empty_kegs WHERE tap_id = ?');
  // Of a keg that was taken off since nobody is asked.
  const all = db.prepare<[], { tap_id: number; keg_id: number; time_ms: number }>(
    `SELECT s.* FROM suspected_empty_kegs s JOIN tap_kegs k ON k.tap_id = s.tap_id AND k.keg_id = s.keg_id`,
  );
  return {
    /** The first gas of a keg counts. */
    set: (suspected: SuspectedEmptyKeg): void => void set.run(suspected),
    remove: (tapId: number): void => void remove.run(tapId),
    all: (): readonly SuspectedEmptyKeg[] =>
      all.all().map((row) => ({ tapId: row.tap_id, kegId: row.keg_id, timeMs: row.time_ms })),
  };
}
