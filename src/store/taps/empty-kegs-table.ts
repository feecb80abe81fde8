import type { Database } from '../database.ts';

/** A keg that is probably empty, since gas came out of its tap; staff are asked. */
export interface SuspectedEmptyKeg {
  readonly tapId: number;
  readonly kegId: number;
  /** The first drink or held pour with gas: that of all others is the same or a later id, whatever the clock does. */
  readonly firstDrinkId: number;
  /** When the gas came, Unix milliseconds. */
  readonly timeMs: number;
}

interface SuspectedRow {
  tap_id: number;
  keg_id: number;
  first_drink_id: number;
  time_ms: number;
}

/** The kegs on tap that are probably empty; one of each tap. */
export function emptyKegsTable(db: Database) {
  const set = db.prepare<SuspectedEmptyKeg>(
    `INSERT INTO suspected_empty_kegs (tap_id, keg_id, first_drink_id, time_ms) VALUES (@tapId, @kegId, @firstDrinkId, @timeMs)
     ON CONFLICT (tap_id) DO UPDATE SET keg_id = excluded.keg_id, first_drink_id = excluded.first_drink_id, time_ms = excluded.time_ms
     WHERE keg_id <> excluded.keg_id`,
  );
  const remove = db.prepare<[number]>('DELETE FROM suspected_empty_kegs WHERE tap_id = ?');
  const removeKeg = db.prepare<[number]>('DELETE FROM suspected_empty_kegs WHERE keg_id = ?');
  // Of a keg that was taken off since nobody is asked, unless that is undone. A time that was taken before the clock was set is corrected with
  // its drink.
  const all = db.prepare<[], SuspectedRow>(
    `SELECT s.tap_id, s.keg_id, s.first_drink_id, coalesce(d.pour_time_ms, s.time_ms) AS time_ms FROM suspected_empty_kegs s
     JOIN tap_kegs k ON k.tap_id = s.tap_id AND k.keg_id = s.keg_id LEFT JOIN drinks d ON d.id = s.first_drink_id`,
  );
  return {
    /** The first gas of a keg counts. */
    set: (suspected: SuspectedEmptyKeg): void => void set.run(suspected),
    remove: (tapId: number): void => void remove.run(tapId),
    removeKeg: (kegId: number): void => void removeKeg.run(kegId),
    all: (): readonly SuspectedEmptyKeg[] =>
      all.all().map((row) => ({
        tapId: row.tap_id,
        kegId: row.keg_id,
        firstDrinkId: row.first_drink_id,
        timeMs: row.time_ms,
      })),
  };
}
