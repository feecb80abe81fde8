import type { Database } from '../database.ts';

/** Readings of deleted thermo sensors, for undo. They are in tables of their own, so that nothing else reads them. */
export function deletedThermoTable(db: Database) {
  const add = db.prepare<{ sensorId: number; deletedMs: number }>(
    'INSERT INTO deleted_thermo_sensors VALUES (@sensorId, @deletedMs)',
  );
  const storeLogs = db.prepare<[number]>(
    `INSERT INTO deleted_thermo_logs SELECT sensor_id, time_ms, id, temp_c FROM thermo_logs WHERE sensor_id = ?`,
  );
  const storeHours = db.prepare<[number]>(
    `INSERT INTO deleted_thermo_hours
     SELECT sensor_id, hour_ms, readings, min_c, mean_c, max_c FROM thermo_hours WHERE sensor_id = ?`,
  );
  const restoreLogs = db.prepare<[number]>(
    `INSERT OR IGNORE INTO thermo_logs (id, sensor_id, temp_c, time_ms)
     SELECT log_id, sensor_id, temp_c, time_ms FROM deleted_thermo_logs WHERE sensor_id = ?`,
  );
  const restoreHours = db.prepare<[number]>(
    `INSERT OR IGNORE INTO thermo_hours (sensor_id, hour_ms, readings, min_c, mean_c, max_c)
     SELECT sensor_id, hour_ms, readings, min_c, mean_c, max_c FROM deleted_thermo_hours WHERE sensor_id = ?`,
  );
  const recount = db.prepare<{ sensorId: number }>(
    `UPDATE thermo_sensors SET readings = (SELECT count(*) FROM thermo_logs WHERE sensor_id = @sensorId)
     WHERE id = @sensorId`,
  );
  const remove = db.prepare<[number]>('DELETE FROM deleted_thermo_sensors WHERE sensor_id = ?');
  const moveLogs = db.prepare<{ from: number; to: number }>(
    'UPDATE OR IGNORE thermo_logs SET sensor_id = @to WHERE sensor_id = @from',
  );
  const has = db.prepare<[number], 1>('SELECT 1 FROM deleted_thermo_sensors WHERE sensor_id = ?').pluck();
  const removeBefore = db.prepare<[number]>('DELETE FROM deleted_thermo_sensors WHERE deleted_ms < ?');
  return {
    /** Copies the readings of a sensor that is deleted next. */
    store(sensorId: number, deletedMs: number): void {
      add.run({ sensorId, deletedMs });
      storeLogs.run(sensorId);
      storeHours.run(sensorId);
    },
    /** Whether the readings of that sensor are still stored. */
    has: (sensorId: number): boolean => has.get(sensorId) !== undefined,
    /** Gives its readings back to a sensor that exists again. */
    restore(sensorId: number): void {
      restoreLogs.run(sensorId);
      restoreHours.run(sensorId);
      recount.run({ sensorId });
      remove.run(sensorId);
    },
    /** Gives the readings of another sensor to this one; minutes that it has stay. */
    moveReadings(move: { readonly from: number; readonly to: number }): void {
      moveLogs.run(move);
      recount.run({ sensorId: move.from });
      recount.run({ sensorId: move.to });
    },
    /** Removes for good what was deleted before that time; returns how many sensors. */
    removeBefore: (timeMs: number): number => removeBefore.run(timeMs).changes,
  };
}
