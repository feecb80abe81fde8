import { removeHiddenCharacters } from '../../core/text/text-rules.ts';
import type { ExportRow, ExportValue } from '../../store/reports/export-table.ts';

/** Excel shows at most so many characters of a cell, and calls a file with more damaged. */
const maxCellCharacters = 32_767;

interface Workbook {
  /** Name of the sheet. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly timeColumns: ReadonlySet<string>;
  readonly chunks: Iterable<readonly ExportRow[]>;
  /** Converts a time to what the site's clocks show, as if in UTC: times in a workbook have no zone. */
  toShownMs(ms: number): number;
  /** Resolves when other work of the process was done; called between chunks. */
  pause(): Promise<void>;
}

/**
 * Writes an Office Open XML workbook (`.xlsx`) with one sheet, or more beyond 1 048 576 rows. Pieces are made on demand, so that
 * only some of them are in memory. Texts are stored as texts: a spreadsheet never takes one for a formula.
 */
export async function* workbookPieces(workbook: Workbook): AsyncGenerator<Uint8Array> {
  const { name, columns, timeColumns } = workbook;
  // Loaded when first needed: few sites ever export a workbook.
  const { writeXlsxStream } = await import('hucre/xlsx');
  const stream = writeXlsxStream(cellRows(workbook), {
    name,
    columns: columns.map((column) => ({
      header: column,
      ...(timeColumns.has(column) ? { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 } : { width: 14 }),
    })),
    freezePane: { rows: 1 },
  });
  yield* stream;
}

async function* cellRows({ columns, chunks, toShownMs, pause }: Workbook) {
  const toCell = (value: ExportValue) => {
    if (value instanceof Date) return new Date(toShownMs(value.getTime()));
    if (typeof value !== 'string') return value;
    return removeHiddenCharacters(value, 'lines').slice(0, maxCellCharacters);
  };
  for (const rows of chunks) {
    for (const row of rows) yield columns.map((column) => toCell(row[column] ?? null));
    await pause();
  }
}
