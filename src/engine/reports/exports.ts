import { csvLine } from '../../core/rules/csv.ts';
import { type ExportKind, type ExportRow, exportKinds } from '../../store/reports/export-table.ts';
import { validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';

export { type ExportKind, exportKinds } from '../../store/reports/export-table.ts';

/** Export formats: for spreadsheets, and one JSON object per line for programs. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface ExportQuery {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  /** Earliest time, Unix milliseconds: a drink's pour, a keg's or session's start, a reading's minute. */
  readonly sinceMs?: number;
  /** Latest time, exclusive. */
  readonly untilMs?: number;
}

/** Columns whose ids are texts in JSON, as in the current API. */
const textIds: Readonly<Record<ExportKind, readonly string[]>> = {
  drinks: ['tap_id', 'session_id'],
  kegs: [],
  sessions: ['id'],
  temperatures: ['sensor_id'],
};

/** Exports all rows of one kind. */
export function createExports({ store }: EngineParts) {
  function* pieces({ kind, format, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: ExportQuery) {
    const columns = store.exports.columns(kind);
    const line = (row: ExportRow): string =>
      format === 'csv' ? csvLine(columns.map((name) => row[name] ?? null)) : jsonLine(kind, row);
    if (format === 'csv') yield csvLine(columns);
    if (kind === 'temperatures') yield* hourlyRows({ sinceMs, untilMs }, line);
    let after = 0;
    for (;;) {
      const { rows, upTo } = store.exports.readChunk(kind, after, { sinceMs, untilMs });
      if (upTo === null) return;
      after = upTo;
      yield rows.map(line).join('');
    }
  }

  /** Old temperatures are stored per hour: mean, minimum and maximum. They come first, sensor by sensor. */
  function* hourlyRows(span: { sinceMs: number; untilMs: number }, line: (row: ExportRow) => string) {
    for (const { id } of store.thermo.all()) {
      let { sinceMs } = span;
      for (;;) {
        const rows = store.exports.readHours(id, { ...span, sinceMs });
        yield rows.map(line).join('');
        const last = rows.at(-1);
        if (last === undefined) break;
        sinceMs = Date.parse(String(last.time)) + 1;
      }
    }
  }

  return {
    /**
     * Text in pieces of at most 500 rows, each read on demand: other work is not blocked in between, and rows
     * changed meanwhile are exported with their new values. A piece may be empty.
     */
    pieces(query: ExportQuery): Iterable<string> {
      if (!exportKinds.includes(query.kind))
        throw validationError('kind', `must be one of ${exportKinds.join(', ')}`);
      if (!exportFormats.includes(query.format)) {
        throw validationError('format', `must be one of ${exportFormats.join(', ')}`);
      }
      return pieces(query);
    },
  };
}

function jsonLine(kind: ExportKind, row: ExportRow): string {
  const ids = textIds[kind].flatMap((name) => {
    const id = row[name];
    return typeof id === 'number' ? [[name, String(id)]] : [];
  });
  return `${JSON.stringify({ ...row, ...Object.fromEntries(ids) })}\n`;
}
