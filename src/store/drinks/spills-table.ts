import type { Spill } from '../../core/records.ts';
import type { Database } from '../database.ts';

/** A spill to be written. */
export interface NewSpill extends Omit<Spill, 'id'> {
  /** Default true: staff named the keg; false: it follows from tap and time. */
  readonly isKegAssigned?: boolean;
  readonly ticks: number;
  readonly meter: string | null;
  readonly pourId: string | null;
}

interface SpillRow {
  id: number;
  tap_id: number | null;
  keg_id: number | null;
  volume_ml: number;
  time_ms: number;
}

/** Spills. */
export function spillsTable(db: Database) {
  const byPourId = db.prepare<[string], SpillRow>('SELECT * FROM spills WHERE pour_id = ?');
  const byId = db.prepare<[number], SpillRow>('SELECT * FROM spills WHERE id = ?');
  const insert = db.prepare<Omit<NewSpill, 'isKegAssigned'> & { assigned: number }, SpillRow>(
    `INSERT INTO spills (tap_id, keg_id, keg_assigned, ticks, volume_ml, time_ms, meter, pour_id)
     VALUES (@tapId, @kegId, @assigned, @ticks, @volumeMl, @timeMs, @meter, @pourId) RETURNING *`,
  );
  const countByKeg = db.prepare<[number], number>('SELECT count(*) FROM spills WHERE keg_id = ?').pluck();
  const atTap = db.prepare<[tapId: number, sinceMs: number], SpillRow>(
    'SELECT * FROM spills WHERE tap_id = ? AND time_ms >= ? AND keg_assigned = 0',
  );
  const setKeg = db.prepare<{ id: number; kegId: number | null }>(
    'UPDATE spills SET keg_id = @kegId WHERE id = @id',
  );
  const remove = db.prepare<[number]>('DELETE FROM spills WHERE id = ?');
  return {
    countByKeg: (kegId: number): number => countByKeg.get(kegId)!,
    byId: (id: number): Spill | null => toSpill(byId.get(id)),
    byPourId: (pourId: string): Spill | null => toSpill(byPourId.get(pourId)),
    add: ({ isKegAssigned = true, ...spill }: NewSpill): Spill =>
      toSpill(insert.get({ ...spill, assigned: Number(isKegAssigned) }))!,
    /** Those at a tap since then whose keg follows from the time. */
    atTap: (tapId: number, sinceMs: number): readonly Spill[] =>
      atTap.all(tapId, sinceMs).map((row) => toSpill(row)!),
    setKeg: (id: number, kegId: number | null): void => void setKeg.run({ id, kegId }),
    /** False when there was none. */
    remove: (id: number): boolean => remove.run(id).changes > 0,
  };
}

function toSpill(row: SpillRow | undefined): Spill | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    tapId: row.tap_id,
    kegId: row.keg_id,
    volumeMl: row.volume_ml,
    timeMs: row.time_ms,
  };
}
