import { shownTimes, shownTimeText, utcOffsetText } from '../../core/clock/shown-time.ts';
import { type CsvDialect, csvLine, excelCsv, standardCsv } from '../../core/text/csv.ts';
import { type ExportRow, type ExportValue, exportTimeColumns } from '../../store/reports/export-table.ts';
import { validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { workbookPieces } from './workbook.ts';

export { exportKinds } from '../../store/reports/export-table.ts';

/** Export formats: for spreadsheets and programs, one JSON object per line for programs, and a workbook. */
export const exportFormats = ['csv', 'jsonl', 'xlsx'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Dialects of CSV: RFC 4180 with times in UTC, and what Excel opens by itself, with times of the site's zone. */
export const csvDialects = ['standard', 'excel'] as const;
export type CsvDialectName = (typeof csvDialects)[number];

/** Rows of a sheet below its head, the limit of Excel and LibreOffice. */
export const maxWorkbookRows = 1_048_575;

interface ExportQuery {
  /** One of the base, or of an extension. */
  readonly kind: string;
  readonly format: ExportFormat;
  /** Only for `csv`; `standard` unless given. */
  readonly dialect?: CsvDialectName;
  /** Earliest time, Unix milliseconds: a drink's pour, a keg's or session's start, a reading's minute. */
  readonly sinceMs?: number;
  /** Latest time, exclusive. */
  readonly untilMs?: number;
}

/** Columns whose ids are texts in JSON, as in the current API. */
const textIds: Readonly<Record<string, readonly string[]>> = {
  drinks: ['tap_id', 'session_id'],
  kegs: [],
  sessions: ['id'],
  temperatures: ['sensor_id'],
};

/** Column with the offset from UTC of a local time. */
const toOffsetColumn = (timeColumn: string): string => `${timeColumn}_utc_offset`;

const utcText = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/** Exports all rows of one kind. */
export function createExports({ store }: EngineParts) {
  function* csvPieces(query: ExportQuery, dialect: CsvDialectName) {
    const csv = csvDialect(dialect);
    const toShownMs = shownTimes(store.site.read().timeZone);
    const isLocal = dialect === 'excel';
    const toText = (time: Date): string =>
      isLocal ? shownTimeText(toShownMs(time.getTime())) : utcText(time);
    const toCell = (value: ExportValue) => (value instanceof Date ? toText(value) : value);
    const { columns, pieces } = isLocal
      ? withOffsets(query, toShownMs)
      : { columns: store.reports.exports.columns(query.kind), pieces: chunks(query) };
    yield csv.byteOrderMark + csvLine(columns, csv);
    for (const rows of pieces) {
      yield rows
        .map((row) =>
          csvLine(
            columns.map((name) => toCell(row[name] ?? null)),
            csv,
          ),
        )
        .join('');
    }
  }

  /**
   * The rows with a column for the offset from UTC of each time. A spreadsheet takes no time with an offset for a time, and without it those of one
   * hour of the night in autumn have two meanings.
   */
  function withOffsets(query: ExportQuery, toShownMs: (ms: number) => number) {
    const columns = store.reports.exports.columns(query.kind);
    const times = columns.filter((name) => exportTimeColumns.has(name));
    const addOffsets = (row: ExportRow): ExportRow => {
      const offsets = times.flatMap((name) => {
        const value = row[name];
        if (!(value instanceof Date)) return [];
        return [[toOffsetColumn(name), utcOffsetText(toShownMs(value.getTime()) - value.getTime())]];
      });
      return { ...row, ...Object.fromEntries(offsets) };
    };
    function* pieces() {
      for (const rows of chunks(query)) yield rows.map(addOffsets);
    }
    return { columns: [...columns, ...times.map(toOffsetColumn)], pieces: pieces() };
  }

  function* jsonPieces(query: ExportQuery) {
    for (const rows of chunks(query)) yield rows.map((row) => jsonLine(query.kind, row)).join('');
  }

  function csvDialect(dialect: CsvDialectName): CsvDialect {
    return dialect === 'excel' ? excelCsv(store.site.read().locale) : standardCsv;
  }

  /** The rows in chunks of at most 500, each read on demand. */
  function* chunks({ kind, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: ExportQuery) {
    if (kind === 'temperatures') yield* hourlyChunks({ sinceMs, untilMs });
    let after = 0;
    for (;;) {
      const { rows, upTo } = store.reports.exports.readChunk(kind, after, { sinceMs, untilMs });
      if (upTo === null) return;
      after = upTo;
      yield rows;
    }
  }

  /** Old temperatures are stored per hour: mean, minimum and maximum. They come first, sensor by sensor. */
  function* hourlyChunks(span: { sinceMs: number; untilMs: number }) {
    for (const { id } of store.temperatures.all()) {
      let { sinceMs } = span;
      for (;;) {
        const rows = store.reports.exports.readHours(id, { ...span, sinceMs });
        yield rows;
        const last = rows.at(-1);
        if (last === undefined) break;
        sinceMs = (last.time as Date).getTime() + 1;
      }
    }
  }

  function workbook(query: ExportQuery, pause: () => Promise<void>): AsyncIterable<Uint8Array> {
    const toShownMs = shownTimes(store.site.read().timeZone);
    const { columns, pieces } = withOffsets(query, toShownMs);
    const timeColumns = exportTimeColumns;
    return workbookPieces({ name: query.kind, columns, timeColumns, chunks: pieces, toShownMs, pause });
  }

  const countRows = ({ kind, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: ExportQuery): number =>
    store.reports.exports.count(kind, { sinceMs, untilMs }, maxWorkbookRows + 1);

  const { kinds } = store.reports.exports;

  return {
    /** Kinds of records that can be exported. */
    kinds,

    csvDialect,

    /** Number of rows of each kind, counted up to one more than a workbook holds. */
    counts: ({ sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: Pick<ExportQuery, 'sinceMs' | 'untilMs'>) =>
      kinds.map((kind) => ({
        kind,
        rows: store.reports.exports.count(kind, { sinceMs, untilMs }, maxWorkbookRows + 1),
      })),

    /**
     * The file in pieces, each made on demand from at most 500 rows: other work is not blocked in between, and rows
     * changed meanwhile are exported with their new values. A piece may be empty. `pause` lets other work of the process
     * be done; a workbook needs it between the rows of one piece, too.
     */
    pieces(query: ExportQuery, pause: () => Promise<void>): Iterable<string> | AsyncIterable<Uint8Array> {
      const { format, dialect } = query;
      if (!kinds.includes(query.kind)) throw validationError('kind', `must be one of ${kinds.join(', ')}`);
      if (!exportFormats.includes(query.format)) {
        throw validationError('format', `must be one of ${exportFormats.join(', ')}`);
      }
      if (dialect !== undefined && format !== 'csv') throw validationError('dialect', 'is for CSV only');
      if (dialect !== undefined && !csvDialects.includes(dialect))
        throw validationError('dialect', `must be one of ${csvDialects.join(', ')}`);
      if (format === 'xlsx' && countRows(query) > maxWorkbookRows)
        throw validationError('file', `must have at most ${maxWorkbookRows} rows as a workbook`, {
          name: 'rows_at_most',
          most: maxWorkbookRows,
        });
      switch (format) {
        case 'csv':
          return csvPieces(query, dialect ?? 'standard');
        case 'jsonl':
          return jsonPieces(query);
        case 'xlsx':
          return workbook(query, pause);
      }
    },
  };
}

function jsonLine(kind: string, row: ExportRow): string {
  const entries = Object.entries(row).map(([name, value]) => {
    if (value instanceof Date) return [name, utcText(value)];
    return [name, typeof value === 'number' && (textIds[kind] ?? []).includes(name) ? String(value) : value];
  });
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}
