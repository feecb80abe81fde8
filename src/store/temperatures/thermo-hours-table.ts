import type { Database } from '../database.ts';

const hourMs = 3_600_000;

/** Readings of a thermo sensor within a minute or an hour. */
export interface ThermoSpan {
  /** Start, Unix milliseconds. */
  readonly timeMs: number;
  readonly minC: number;
  readonly meanC: number;
  readonly maxC: number;
  readonly readings: number;
}

interface SpanRow {
  time_ms: number;
  min_c: number;
  mean_c: number;
  max_c: number;
  readings: number;
}

/** Sensor, time span (end exclusive), and maximum number of results. */
interface ThermoQuery {
  readonly sensorId: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
}

/** Hourly temperatures: stored ones of long ago, and others computed for a chart. */
export function thermoHoursTable(db: Database) {
  // The hour of the newest reading stays, so that a silent sensor still has its last reading.
  const oldest = db.prepare<{ sensorId: number; beforeMs: number }, { time_ms: number }>(
    `SELECT time_ms FROM thermo_logs WHERE sensor_id = @sensorId AND time_ms < min(@beforeMs,
       (SELECT time_ms / ${hourMs} * ${hourMs} FROM thermo_logs WHERE sensor_id = @sensorId
        ORDER BY time_ms DESC LIMIT 1))
     ORDER BY time_ms LIMIT 1`,
  );
  const inHour = 'sensor_id = @sensorId AND time_ms >= @hourMs AND time_ms < @endMs';
  const addToHour = db.prepare<{ sensorId: number; hourMs: number; endMs: number }>(
    `INSERT INTO thermo_hours (sensor_id, hour_ms, readings, min_c, mean_c, max_c)
     SELECT @sensorId, @hourMs, count(*), min(temp_c), avg(temp_c), max(temp_c) FROM thermo_logs WHERE ${inHour}
     GROUP BY sensor_id
     ON CONFLICT (sensor_id, hour_ms) DO UPDATE SET
       readings = readings + excluded.readings,
       min_c = min(min_c, excluded.min_c),
       mean_c = (mean_c * readings + excluded.mean_c * excluded.readings) / (readings + excluded.readings),
       max_c = max(max_c, excluded.max_c)`,
  );
  const removeMinutes = db.prepare<{ sensorId: number; hourMs: number; endMs: number }>(
    `DELETE FROM thermo_logs WHERE ${inHour}`,
  );
  const subtractReadings = db.prepare<[readings: number, sensorId: number]>(
    'UPDATE thermo_sensors SET readings = readings - ? WHERE id = ?',
  );
  const timeCondition = (column: string) =>
    `sensor_id = @sensorId AND ${column} >= @sinceMs AND ${column} < @untilMs`;
  const hourSpans = `SELECT hour_ms AS time_ms, min_c, mean_c, max_c, readings FROM thermo_hours WHERE ${timeCondition('hour_ms')}`;
  // Both have rows for the same hour only until a late reading is added to its hour.
  const minutes = db.prepare<ThermoQuery, SpanRow>(
    `SELECT * FROM (${hourSpans} UNION ALL
       SELECT time_ms, temp_c, temp_c, temp_c, 1 FROM thermo_logs WHERE ${timeCondition('time_ms')})
     ORDER BY time_ms LIMIT @limit`,
  );
  const hours = db.prepare<ThermoQuery, SpanRow>(
    `SELECT time_ms, min(min_c) AS min_c, sum(mean_c * readings) / sum(readings) AS mean_c, max(max_c) AS max_c,
       sum(readings) AS readings
     FROM (${hourSpans} UNION ALL
       SELECT time_ms / ${hourMs} * ${hourMs}, temp_c, temp_c, temp_c, 1 FROM thermo_logs WHERE ${timeCondition('time_ms')})
     GROUP BY time_ms ORDER BY time_ms LIMIT @limit`,
  );
  return {
    /** Start of the oldest hour before that time that still has minutes; null if there is none. */
    oldestHour(sensorId: number, beforeMs: number): number | null {
      const row = oldest.get({ sensorId, beforeMs });
      return row === undefined ? null : row.time_ms - (row.time_ms % hourMs);
    },
    /** Merges the minutes of that hour into its hourly row. */
    thin(sensorId: number, startMs: number): void {
      const hour = { sensorId, hourMs: startMs, endMs: startMs + hourMs };
      addToHour.run(hour);
      subtractReadings.run(removeMinutes.run(hour).changes, sensorId);
    },
    /** Values in the stored resolution, oldest first. */
    minutes: (of: ThermoQuery): readonly ThermoSpan[] => minutes.all(of).map(toSpan),
    /** Hourly values, oldest first. */
    hours: (of: ThermoQuery): readonly ThermoSpan[] => hours.all(of).map(toSpan),
  };
}

const toSpan = (row: SpanRow): ThermoSpan => ({
  timeMs: row.time_ms,
  minC: row.min_c,
  meanC: row.mean_c,
  maxC: row.max_c,
  readings: row.readings,
});
