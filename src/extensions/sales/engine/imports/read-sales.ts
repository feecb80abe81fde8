import { cleanCell } from '../../../../core/files/cells.ts';
import { findHead, isFullRow, maxRowsAboveHead } from '../../../../core/files/find-head.ts';
import { createShownClock } from '../../../../core/files/shown-clock.ts';
import { isImplausible } from '../../../../core/files/times.ts';
import { createProblem } from '../../../../core/health/problems.ts';
import { maxRowCells } from '../../../../engine/shared/files/read-table.ts';
import { countKnownHeads, type GuessedColumns, guessColumns } from '../../core/guess-columns.ts';
import {
  type ColumnPositions,
  findColumns,
  parseSaleRow,
  type SaleRowFault,
} from '../../core/parse-sale-row.ts';
import type { SaleLine } from '../../core/sale-line.ts';
import { isPersonalColumn, type SaleField, type SalesFormat } from '../../core/sales-format.ts';
import { fileError } from '../sales-bounds.ts';
import { joinDsfinvk, type SalesFiles } from './join-dsfinvk.ts';
import { maxSalesFileBytes, maxSalesRows, type Pause, readSalesTable, type TableRow } from './sales-table.ts';

/** What a row of a file is. */
export type ReadRow =
  | {
      readonly kind: 'head';
      readonly row: number;
      readonly columns: readonly string[];
      readonly missing: readonly SaleField[];
      /** Guessed from the names of the columns. */
      readonly guessed: GuessedColumns;
    }
  | { readonly kind: 'line'; readonly row: number; readonly line: SaleLine }
  | { readonly kind: 'skipped'; readonly row: number }
  | { readonly kind: 'bad'; readonly row: number; readonly fault: SaleRowFault };

interface ReadOptions {
  readonly format: SalesFormat;
  /** Of the currency of the site. */
  readonly minorDigits: number;
  readonly pause: Pause;
  /** Unix milliseconds, after which a line cannot be; null while the clock is not set. */
  readonly nowMs: number | null;
  /** Whether the column with the names of sellers is read; default false. */
  readonly hasSellers?: boolean;
}

/**
 * Reads the lines of files. The head with the names of the columns is the first row that has all required ones; of the names, those of
 * persons are left out and not read, unless `hasSellers`. Ends after the head when a required column is missing. Throws `invalid_request` for an
 * empty file and one beyond the bounds.
 */
export async function* readSales(files: SalesFiles, options: ReadOptions): AsyncGenerator<ReadRow> {
  const { format, pause } = options;
  for (const bytes of [files.main, files.transactions])
    if (bytes !== undefined && bytes.length > maxSalesFileBytes)
      throw fileError(createProblem('sales_file_too_large', { most: maxSalesFileBytes / 1_048_576 }));
  const isJoined = format.preset === 'dsfinvk';
  const rows = isJoined ? joinDsfinvk(files, format, pause) : readSalesTable(files.main, format, pause);
  const reader = createRowReader(options);
  let first: TableRow[] | null = [];
  for await (const row of rows) {
    if (first === null) {
      yield reader.read(row);
      continue;
    }
    first.push(row);
    if (!isJoined && !reader.isHead(row) && first.length <= maxRowsAboveHead) continue;
    yield* reader.begin(first);
    if (!reader.hasHead()) return;
    first = null;
  }
  if (first !== null) yield* reader.begin(first);
}

function createRowReader({ format, minorDigits, nowMs, hasSellers = false }: ReadOptions) {
  const toMs = createShownClock(format.timeZone);
  let head: readonly string[] | null = null;
  let positions: ColumnPositions = {};
  let count = 0;
  const find = (cells: readonly string[]) => findColumns(cells, format, hasSellers);
  const rate = (cells: readonly string[]) => {
    const { missing, positions: found } = find(cells);
    return {
      known: Math.max(Object.keys(found).length, countKnownHeads(cells)),
      fits: missing.length === 0,
    };
  };

  function read(one: TableRow): ReadRow {
    const { line: row, cells } = one;
    count += 1;
    if (count > maxSalesRows) throw fileError(createProblem('sales_too_many_rows', { most: maxSalesRows }));
    if (cells === null) return { kind: 'bad', row, fault: one.fault };
    if (format.preset === 'dsfinvk' && cells.length === 0) return { kind: 'bad', row, fault: 'transaction' };
    // Files that were put together repeat the head.
    if (head?.length === cells.length && cells.every((cell, i) => cell === head![i]))
      return { kind: 'skipped', row };
    const parsed = parseSaleRow(cells, positions, format, minorDigits);
    if (parsed.kind !== 'line') return { ...parsed, row };
    const { time, ...line } = parsed.line;
    const timeMs = toMs(time);
    if (isImplausible(timeMs, nowMs)) return { kind: 'bad', row, fault: 'implausible_time' };
    return { kind: 'line', row, line: { ...line, timeMs } };
  }

  return {
    read,
    isHead: ({ cells }: TableRow): boolean => cells !== null && rate(cells).fits,
    hasHead: (): boolean => head !== null,
    /** Reads the first rows of a file: finds the head among them. Has no head when a required column is missing. */
    *begin(rows: readonly TableRow[]): Generator<ReadRow> {
      const at = findHead(
        rows.map(({ cells }) => cells ?? []),
        rate,
      );
      const found = rows[at];
      if (rows.every(({ cells }) => cells?.every((cell) => cell.trim() === '')))
        throw fileError(createProblem('sales_file_empty'));
      if (found === undefined || found.cells === null) {
        for (const row of rows) yield read(row);
        return;
      }
      const { cells } = found;
      const { missing } = find(cells);
      for (const row of rows.slice(0, at)) {
        const isData = isFullRow(row.cells ?? [], cells);
        yield isData
          ? { kind: 'bad', row: row.line, fault: 'above_head' }
          : { kind: 'skipped', row: row.line };
      }
      ({ positions } = find(cells));
      yield {
        kind: 'head',
        row: found.line,
        columns: cells
          .slice(0, maxRowCells)
          .map((name) => cleanCell(name).slice(0, 128))
          .filter((name) => name !== '' && (hasSellers || !isPersonalColumn(name))),
        missing,
        guessed: guessColumns(cells.slice(0, maxRowCells).map((name) => cleanCell(name).slice(0, 128))),
      };
      if (missing.length > 0) return;
      head = cells;
      for (const row of rows.slice(at + 1)) yield read(row);
    },
  };
}
