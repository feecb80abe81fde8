import type { StoredWeighing } from '../../core/records.ts';
import type { Database } from '../database.ts';

interface WeighingRow {
  id: number;
  keg_id: number;
  time_ms: number;
  weight_g: number;
  empty_weight_g: number | null;
  balance_g: number;
  user_id: number | null;
}

/** Kegs that staff weighed. */
export function kegWeighingsTable(db: Database) {
  const byKeg = db.prepare<[number], WeighingRow>(
    'SELECT * FROM keg_weighings WHERE keg_id = ? ORDER BY time_ms, id',
  );
  const byId = db.prepare<[number], WeighingRow>('SELECT * FROM keg_weighings WHERE id = ?');
  const insert = db
    .prepare<Omit<StoredWeighing, 'id'>, number>(
      `INSERT INTO keg_weighings (keg_id, time_ms, weight_g, empty_weight_g, balance_g, user_id)
       VALUES (@kegId, @timeMs, @weightG, @emptyWeightG, @balanceG, @userId) RETURNING id`,
    )
    .pluck();
  const change = db.prepare<Omit<StoredWeighing, 'kegId' | 'userId'>>(
    `UPDATE keg_weighings SET time_ms = @timeMs, weight_g = @weightG, empty_weight_g = @emptyWeightG, balance_g = @balanceG
     WHERE id = @id`,
  );
  const used = db.prepare<
    { kegId: number; timeMs: number },
    { servedVolumeMl: number; spilledVolumeMl: number }
  >(
    `SELECT (SELECT total(volume_ml) FROM keg_drinks WHERE keg_id = @kegId AND pour_time_ms <= @timeMs) AS servedVolumeMl,
       (SELECT total(volume_ml) FROM keg_spills WHERE keg_id = @kegId AND time_ms <= @timeMs) AS spilledVolumeMl`,
  );
  const remove = db.prepare<[number]>('DELETE FROM keg_weighings WHERE id = ?');
  return {
    /** In the order of their times. */
    byKeg: (kegId: number): readonly StoredWeighing[] => byKeg.all(kegId).map(toWeighing),
    byId(id: number): StoredWeighing | null {
      const row = byId.get(id);
      return row === undefined ? null : toWeighing(row);
    },
    add: (weighing: Omit<StoredWeighing, 'id'>): number => insert.get(weighing)!,
    change: ({ id, timeMs, weightG, emptyWeightG, balanceG }: StoredWeighing): void =>
      void change.run({ id, timeMs, weightG, emptyWeightG, balanceG }),
    /** What was poured and spilled of the keg until then. */
    usedUntil: (kegId: number, timeMs: number) => used.get({ kegId, timeMs })!,
    remove: (id: number): void => void remove.run(id),
  };
}

const toWeighing = (row: WeighingRow): StoredWeighing => ({
  id: row.id,
  kegId: row.keg_id,
  timeMs: row.time_ms,
  weightG: row.weight_g,
  emptyWeightG: row.empty_weight_g,
  balanceG: row.balance_g,
  userId: row.user_id,
});
