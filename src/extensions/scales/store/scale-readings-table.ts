import type { Database } from '../../../store/database.ts';

/** The reading of a scale in a minute. */
export interface ScaleReading {
  readonly scaleId: number;
  /** Start of the minute, Unix milliseconds. */
  readonly minuteMs: number;
  readonly weightG: number;
  readonly tempC: number | null;
}

interface ReadingRow {
  scale_id: number;
  minute_ms: number;
  weight_g: number;
  temp_c: number | null;
}

interface ReadingQuery {
  readonly scaleId: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly limit: number;
}

/** Readings of scales, at most one per scale and minute. */
export function scaleReadingsTable(db: Database) {
  const write = db.prepare<ScaleReading>(
    `INSERT INTO scale_readings (scale_id, minute_ms, weight_g, temp_c) VALUES (@scaleId, @minuteMs, @weightG, @tempC)
     ON CONFLICT (scale_id, minute_ms) DO UPDATE SET weight_g = excluded.weight_g, temp_c = excluded.temp_c`,
  );
  const last = db.prepare<[number], ReadingRow>(
    'SELECT * FROM scale_readings WHERE scale_id = ? ORDER BY minute_ms DESC LIMIT 1',
  );
  const between = db.prepare<ReadingQuery, ReadingRow>(
    `SELECT * FROM scale_readings WHERE scale_id = @scaleId AND minute_ms >= @sinceMs AND minute_ms < @untilMs
     ORDER BY minute_ms LIMIT @limit`,
  );
  const oldest = db
    .prepare<[number], number | null>('SELECT min(minute_ms) FROM scale_readings WHERE scale_id = ?')
    .pluck();
  const nextScale = db
    .prepare<[number], number>(
      'SELECT scale_id FROM scale_readings WHERE scale_id > ? ORDER BY scale_id LIMIT 1',
    )
    .pluck();
  const copy = db.prepare<{ from: number; to: number }>(
    `INSERT OR REPLACE INTO scale_readings (scale_id, minute_ms, weight_g, temp_c)
     SELECT @to, minute_ms, weight_g, temp_c FROM scale_readings WHERE scale_id = @from`,
  );
  const removeAll = db.prepare<[number]>('DELETE FROM scale_readings WHERE scale_id = ?');
  const removeOldest = db.prepare<{ scaleId: number; beforeMs: number; limit: number }>(
    `DELETE FROM scale_readings WHERE scale_id = @scaleId AND minute_ms IN (
       SELECT minute_ms FROM scale_readings WHERE scale_id = @scaleId AND minute_ms < @beforeMs
       ORDER BY minute_ms LIMIT @limit)`,
  );
  return {
    /** Writes the minute's row; an earlier one of the same minute is replaced. */
    write: (reading: ScaleReading): void => void write.run(reading),
    last: (scaleId: number): ScaleReading | null => {
      const row = last.get(scaleId);
      return row === undefined ? null : toReading(row);
    },
    /** Oldest first. */
    between: (query: ReadingQuery): readonly ScaleReading[] => between.all(query).map(toReading),
    /** Ids of scales with readings, also of deleted ones. */
    scaleIds(): readonly number[] {
      const ids: number[] = [];
      for (let id = nextScale.get(0); id !== undefined; id = nextScale.get(id)) ids.push(id);
      return ids;
    },
    /** Start of the oldest minute; null without readings. */
    oldestMs: (scaleId: number): number | null => oldest.get(scaleId) ?? null,
    /** Readings of the same minute are replaced. */
    move(scales: { readonly from: number; readonly to: number }): void {
      copy.run(scales);
      removeAll.run(scales.from);
    },
    /** Removes some that are older; returns how many. */
    removeBefore: (scaleId: number, beforeMs: number, limit: number): number =>
      removeOldest.run({ scaleId, beforeMs, limit }).changes,
  };
}

const toReading = (row: ReadingRow): ScaleReading => ({
  scaleId: row.scale_id,
  minuteMs: row.minute_ms,
  weightG: row.weight_g,
  tempC: row.temp_c,
});
