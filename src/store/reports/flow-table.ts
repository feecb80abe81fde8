import type { HourlyPours } from '../../core/alarms/tap-usage.ts';
import type { VolumeSample } from '../../core/kegs/run-out.ts';
import type { Database } from '../database.ts';

/** The latest pour at a tap. */
export interface LastDrink {
  readonly id: number;
  readonly volumeMl: number;
  readonly pourTimeMs: number;
  readonly timeCertain: boolean;
}

interface FlowRow {
  id: number;
  volume_ml: number;
  pour_time_ms: number;
  time_certain: number;
}

/** Drinks read for a tap's usual flow: a day of a busy tap, four weeks of a quiet one. */
const maxRows = 1_000;
/** Drinks that are searched for the latest one, as drinks may be reported late. */
const lateRows = 16;

/** A time span, Unix milliseconds; `untilMs` is exclusive. */
interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

const columns = 'id, volume_ml, pour_time_ms, time_certain';

/** Recent flow at a tap or out of a keg, without held pours. */
export function flowTable(db: Database) {
  const newest = (rows: 'drinks WHERE tap_id' | 'keg_drinks WHERE keg_id') =>
    db.prepare<[number, number], FlowRow>(
      `SELECT ${columns} FROM ${rows} = ? AND is_valid = 1 ORDER BY id DESC LIMIT ?`,
    );
  // Held pours count, too: the meter works. CROSS JOIN: each span reads its part of the index on the time.
  const byHour = db.prepare<[string], HourlyPours>(
    `SELECT s.key AS week, d.tap_id AS tapId, k.beverage_id AS beverageId,
       ((s.value ->> '$.untilMs') - 1 - d.pour_time_ms) / 3600000 AS hoursAgo, count(*) AS pours
     FROM json_each(?) s
       CROSS JOIN drinks d ON d.pour_time_ms >= (s.value ->> '$.sinceMs') AND d.pour_time_ms < (s.value ->> '$.untilMs')
       LEFT JOIN kegs k ON k.id = d.keg_id
     WHERE d.tap_id IS NOT NULL
     GROUP BY 1, 2, 3, 4`,
  );
  const byTap = newest('drinks WHERE tap_id');
  const byKeg = newest('keg_drinks WHERE keg_id');
  return {
    byTap: (tapId: number): readonly VolumeSample[] => toFlow(byTap.all(tapId, maxRows)),
    byKeg: (kegId: number): readonly VolumeSample[] => toFlow(byKeg.all(kegId, maxRows)),
    /** Pours by tap, beverage and hour in spans of the same length, such as the same evening in several weeks. */
    byHour: (spans: readonly Span[]): readonly HourlyPours[] => byHour.all(JSON.stringify(spans)),
    /** By pour time, not by the time of recording. */
    lastByTap(tapId: number): LastDrink | null {
      const [row] = byTap.all(tapId, lateRows).sort((a, b) => b.pour_time_ms - a.pour_time_ms || b.id - a.id);
      if (row === undefined) return null;
      const { id, volume_ml: volumeMl, pour_time_ms: pourTimeMs, time_certain: certain } = row;
      return { id, volumeMl, pourTimeMs, timeCertain: certain === 1 };
    },
  };
}

/** Leaves out drinks with uncertain times, which say nothing about usual flow. */
const toFlow = (rows: readonly FlowRow[]): readonly VolumeSample[] =>
  rows
    .filter((row) => row.time_certain === 1)
    .map((row) => ({ timeMs: row.pour_time_ms, volumeMl: row.volume_ml }));
