import type { ThermoLog, ThermoSensor } from '../../core/records.ts';
import type { Database } from '../database.ts';
import { type ListFilter, pagedList } from '../shared/paged-list.ts';
import type { Slice } from '../shared/slice.ts';

interface SensorRow {
  id: number;
  raw_name: string;
  nice_name: string;
  place: string;
  offset_c: number;
}

/** The fields of a thermo sensor that people change. */
type SensorFields = Omit<ThermoSensor, 'id'>;

interface LogRow {
  id: number;
  sensor_id: number;
  temp_c: number;
  time_ms: number;
}

interface NewLog {
  sensorId: number;
  tempC: number;
  timeMs: number;
}

/** Thermo sensors and their readings, at most one per sensor and minute. */
export function thermoTable(db: Database) {
  const all = db.prepare<[], SensorRow>('SELECT * FROM thermo_sensors ORDER BY id');
  const byId = db.prepare<[number], SensorRow>('SELECT * FROM thermo_sensors WHERE id = ?');
  const byRawName = db.prepare<[string], SensorRow>('SELECT * FROM thermo_sensors WHERE raw_name = ?');
  const byNiceName = db.prepare<[string], SensorRow>(
    'SELECT * FROM thermo_sensors WHERE nice_name = ? ORDER BY id LIMIT 1',
  );
  const insert = db.prepare<[string], SensorRow>(
    'INSERT INTO thermo_sensors (raw_name) VALUES (?) RETURNING *',
  );
  const change = db.prepare<ThermoSensor>(
    `UPDATE thermo_sensors SET raw_name = @rawName, nice_name = @niceName, place = @place, offset_c = @offsetC
     WHERE id = @id`,
  );
  const removeSensor = db.prepare<[number]>('DELETE FROM thermo_sensors WHERE id = ?');
  const last = db.prepare<[number], LogRow>(
    'SELECT * FROM thermo_logs WHERE sensor_id = ? ORDER BY time_ms DESC LIMIT 1',
  );
  const list = pagedList<LogRow>(db, {
    table: 'thermo_logs',
    alias: 'l',
    columns: 'l.*',
    time: 'time_ms',
  });
  const logById = db.prepare<[number], LogRow>('SELECT * FROM thermo_logs WHERE id = ?');
  const updateLog = db.prepare<NewLog, LogRow>(
    'UPDATE thermo_logs SET temp_c = @tempC WHERE sensor_id = @sensorId AND time_ms = @timeMs RETURNING *',
  );
  const insertLog = db.prepare<NewLog, LogRow>(
    'INSERT INTO thermo_logs (sensor_id, temp_c, time_ms) VALUES (@sensorId, @tempC, @timeMs) RETURNING *',
  );
  const count = db.prepare<[], number>('SELECT coalesce(sum(readings), 0) FROM thermo_sensors').pluck();
  const countOfSensor = db
    .prepare<[number], number>('SELECT readings FROM thermo_sensors WHERE id = ?')
    .pluck();
  const addToCount = db.prepare<[readings: number, sensorId: number]>(
    'UPDATE thermo_sensors SET readings = readings + ? WHERE id = ?',
  );
  const otherInMinute = db.prepare<{ sensorId: number; timeMs: number; id: number }, LogRow>(
    'SELECT * FROM thermo_logs WHERE sensor_id = @sensorId AND time_ms = @timeMs AND id <> @id',
  );
  const removeLog = db.prepare<[number]>('DELETE FROM thermo_logs WHERE id = ?');
  const moveLog = db.prepare<{ id: number; timeMs: number }>(
    'UPDATE thermo_logs SET time_ms = @timeMs WHERE id = @id',
  );
  return {
    all: (): readonly ThermoSensor[] => all.all().map((row) => toSensor(row)!),
    byId: (id: number): ThermoSensor | null => toSensor(byId.get(id)),
    byRawName: (name: string): ThermoSensor | null => toSensor(byRawName.get(name)),
    byNiceName: (name: string): ThermoSensor | null => toSensor(byNiceName.get(name)),
    add: (rawName: string): ThermoSensor => toSensor(insert.get(rawName))!,
    change: (id: number, to: SensorFields): void => void change.run({ id, ...to }),
    /** Also removes its readings and its assignment to taps. */
    removeSensor: (id: number): void => void removeSensor.run(id),
    last: (sensorId: number): ThermoLog | null => toLog(last.get(sensorId)),
    logById: (id: number): ThermoLog | null => toLog(logById.get(id)),
    /** Readings that match the filter, last received first. */
    page: (filter: ListFilter, slice: Slice): readonly ThermoLog[] =>
      list.page(filter, slice).map((row) => toLog(row)!),
    /** Readings between two times, of one sensor or of all. */
    between: (span: { sinceMs?: number; untilMs?: number }, sensorId?: number) =>
      list.between(span, sensorId === undefined ? {} : { sensor_id: sensorId }),
    count: (sensorId?: number): number =>
      sensorId === undefined ? count.get()! : (countOfSensor.get(sensorId) ?? 0),
    /** Writes the minute's row; an existing one keeps its id. */
    log(reading: NewLog): ThermoLog {
      const updated = updateLog.get(reading);
      if (updated !== undefined) return toLog(updated)!;
      addToCount.run(1, reading.sensorId);
      return toLog(insertLog.get(reading))!;
    },
    /** Another reading of that sensor in that minute. */
    otherInMinute: (reading: ThermoLog, timeMs: number): ThermoLog | null =>
      toLog(otherInMinute.get({ sensorId: reading.sensorId, timeMs, id: reading.id })),
    removeLog({ id, sensorId }: ThermoLog): void {
      const { changes } = removeLog.run(id);
      addToCount.run(-changes, sensorId);
    },
    moveLog: (id: number, timeMs: number): void => void moveLog.run({ id, timeMs }),
  };
}

function toSensor(row: SensorRow | undefined): ThermoSensor | null {
  if (row === undefined) return null;
  return {
    id: row.id,
    rawName: row.raw_name,
    niceName: row.nice_name,
    place: row.place,
    offsetC: row.offset_c,
  };
}

function toLog(row: LogRow | undefined): ThermoLog | null {
  if (row === undefined) return null;
  return { id: row.id, sensorId: row.sensor_id, tempC: row.temp_c, timeMs: row.time_ms };
}
