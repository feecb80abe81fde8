import { kegFields } from '../../core/kegs/records/keg-record.ts';
import { roundMl } from '../../core/measurement/round-ml.ts';
import type { CsvValue } from '../../core/text/csv.ts';
import type { Database } from '../database.ts';
import { servedVolumeMl } from '../kegs/kegs-table.ts';
import type { ExportPlan } from '../shared/export-plan.ts';
import { exportColumns } from '../shared/record-table.ts';

/** Kinds of records of the base that can be exported. */
export const exportKinds = ['drinks', 'kegs', 'sessions', 'temperatures'] as const;
type ExportKind = (typeof exportKinds)[number];

/** A value, or a time. */
export type ExportValue = CsvValue | Date;

/** Volumes have at most two decimals of a millilitre. */
export type ExportRow = Readonly<Record<string, ExportValue>>;

/** A chunk of an export. */
interface ExportChunk {
  readonly rows: readonly ExportRow[];
  /** The last id of the chunk; null at the end. */
  readonly upTo: number | null;
}

/** Ids read in one call, which takes some milliseconds on a Pi. */
const idsPerChunk = 500;

/** Columns whose numbers are times (Unix milliseconds), and those that are boolean, with all that begin with `is_`. */
export const exportTimeColumns: ReadonlySet<string> = new Set([
  'pour_time',
  'created_time',
  'started_time',
  'finished_time',
  'end_time',
  'time',
]);
const booleanColumns: ReadonlySet<string> = new Set([
  'volume_given',
  'recovered',
  'flow_while_shut',
  'time_certain',
]);

interface TimeRange {
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
}

/** Those of a keg that mean something outside. */
const { beverageId, sizeId, ranDry, inSeries, ...exportedKegFields } = kegFields;

const plans: Readonly<Record<ExportKind, Omit<ExportPlan, 'kind'>>> = {
  drinks: {
    table: 'drinks',
    time: 'x.pour_time_ms',
    columns: `x.id, x.pour_time_ms AS pour_time, x.duration_ms / 1000 AS duration, x.tap_id, t.name AS tap, x.keg_id,
      (SELECT group_concat(part.value ->> '$.keg_id' || ':' || (part.value ->> '$.volume_ml'), ' ') FROM json_each(x.parts) part) AS parts,
      b.name AS beverage, p.name AS producer, x.session_id, u.username AS user_id, x.ticks, x.gas_ticks, x.foam_ticks, x.volume_ml, x.volume_given,
      x.is_valid, x.held_reason, x.meter, x.ticks_lost, x.source, x.recovered, x.flow_while_shut, x.time_certain,
      x.shout`,
    joins: `LEFT JOIN taps t ON t.id = x.tap_id LEFT JOIN kegs k ON k.id = x.keg_id
      LEFT JOIN beverages b ON b.id = k.beverage_id LEFT JOIN producers p ON p.id = b.producer_id
      LEFT JOIN users u ON u.id = x.user_id`,
  },
  kegs: {
    table: 'kegs',
    time: 'x.started_time_ms',
    columns: `x.id, b.name AS beverage, p.name AS producer, s.name AS size, ${exportColumns(exportedKegFields, 'x', { servedVolumeMl: servedVolumeMl('x') })}`,
    joins: `JOIN beverages b ON b.id = x.beverage_id JOIN producers p ON p.id = b.producer_id
      JOIN keg_sizes s ON s.id = x.size_id`,
  },
  sessions: {
    table: 'sessions',
    time: 'x.start_time_ms',
    columns: `x.id, x.start_time_ms AS started_time, x.end_time_ms AS end_time, x.volume_ml, x.name,
      x.time_zone`,
  },
  temperatures: {
    table: 'thermo_logs',
    time: 'x.time_ms',
    columns: `x.id, x.time_ms AS time, x.sensor_id, s.raw_name AS sensor, s.nice_name, x.temp_c, x.temp_c AS min_c,
      x.temp_c AS max_c, 1 AS readings`,
    joins: 'JOIN thermo_sensors s ON s.id = x.sensor_id',
  },
};

/** Reads whole tables in chunks, oldest id first. No transaction stays open between two chunks. `added` are the kinds of all extensions. */
export function exportTable(db: Database, added: readonly ExportPlan[] = []) {
  const all = [...exportKinds.map((kind) => ({ kind, ...plans[kind] })), ...added];
  const statements = Object.fromEntries(
    all.map(({ kind, table, time, columns, joins = '' }) => {
      const rows = db.prepare<{ after: number; upTo: number; sinceMs: number; untilMs: number }>(
        `SELECT ${columns} FROM ${table} x ${joins}
         WHERE x.id > @after AND x.id <= @upTo AND ${time} >= @sinceMs AND ${time} < @untilMs ORDER BY x.id`,
      );
      const next = db.prepare<[number], number>(
        `SELECT id FROM ${table} x WHERE x.id > ? ORDER BY x.id LIMIT 1`,
      );
      const count = db.prepare<TimeRange & { limit: number }, number>(
        `SELECT count(*) FROM (SELECT 1 FROM ${table} x WHERE ${time} >= @sinceMs AND ${time} < @untilMs LIMIT @limit)`,
      );
      return [kind, { rows, next: next.pluck(), count: count.pluck() }];
    }),
  );
  const countHours = db
    .prepare<TimeRange & { limit: number }, number>(
      `SELECT count(*) FROM
         (SELECT 1 FROM thermo_hours WHERE hour_ms >= @sinceMs AND hour_ms < @untilMs LIMIT @limit)`,
    )
    .pluck();
  const readHours = db.prepare<{ sensorId: number; sinceMs: number; untilMs: number }>(
    `SELECT NULL AS id, h.hour_ms AS time, h.sensor_id, s.raw_name AS sensor, s.nice_name, h.mean_c AS temp_c, h.min_c,
       h.max_c, h.readings
     FROM thermo_hours h JOIN thermo_sensors s ON s.id = h.sensor_id
     WHERE h.sensor_id = @sensorId AND h.hour_ms >= @sinceMs AND h.hour_ms < @untilMs
     ORDER BY h.hour_ms LIMIT ${idsPerChunk}`,
  );
  return {
    kinds: all.map(({ kind }) => kind),
    /** Number of rows of a time span, counted up to `limit`. */
    count(kind: string, span: TimeRange, limit: number): number {
      const range = { ...span, limit };
      const hours = kind === 'temperatures' ? countHours.get(range)! : 0;
      return Math.min(limit, statements[kind]!.count.get(range)! + hours);
    },
    /** Hourly values of a thermo sensor from a time on; fewer than `idsPerChunk` at the end. */
    readHours(sensorId: number, span: { sinceMs: number; untilMs: number }): readonly ExportRow[] {
      return (readHours.all({ sensorId, ...span }) as Record<string, CsvValue>[]).map(toExportRow);
    },
    /** Names of the columns, in their order. */
    columns: (kind: string): readonly string[] => statements[kind]!.rows.columns().map(({ name }) => name),
    /** The rows of the next ids after `after`. */
    readChunk(kind: string, after: number, span: { sinceMs: number; untilMs: number }): ExportChunk {
      const { rows, next } = statements[kind]!;
      // Skips gaps: years of thinned readings leave millions of ids without a row.
      const first = next.get(after);
      if (first === undefined) return { rows: [], upTo: null };
      const upTo = first + idsPerChunk - 1;
      const found = rows.all({ after: first - 1, upTo, ...span }) as Record<string, CsvValue>[];
      return { rows: found.map(toExportRow), upTo };
    },
  };
}

function toExportRow(row: Record<string, CsvValue>): ExportRow {
  const entries = Object.entries(row).map(([name, value]) => {
    if (typeof value !== 'number') return [name, value];
    if (exportTimeColumns.has(name)) return [name, new Date(value)];
    if (name.endsWith('_ml')) return [name, roundMl(value)];
    return [name, booleanColumns.has(name) || name.startsWith('is_') ? value === 1 : value];
  });
  return Object.fromEntries(entries);
}
