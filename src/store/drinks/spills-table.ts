import type { Spill } from '../../core/records.ts';
import type { Database } from '../database.ts';

/** A spill to be written. */
interface NewSpill extends Omit<Spill, 'id'> {
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
  const insert = db.prepare<NewSpill, SpillRow>(
    `INSERT INTO spills (tap_id, keg_id, ticks, volume_ml, time_ms, meter, pour_id)
     VALUES (@tapId, @kegId, @ticks, @volumeMl, @timeMs, @meter, @pourId) RETURNING *`,
  );
  const countByKeg = db.prepare<[number], number>('SELECT count(*) FROM spills WHERE keg_id = ?').pluck();
  const remove = db.prepare<[number]>('DELETE FROM spills WHERE id = ?');
  return {
    countByKeg: (kegId: number): number => countByKeg.get(kegId)!,
    byId: (id: number): Spill | null => toSpill(byId.get(id)),
    byPourId: (pourId: string): Spill | null => toSpill(byPourId.get(pourId)),
    add: (spill: NewSpill): Spill => toSpill(insert.get(spill))!,
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
