import { createProblem } from '../../core/rules/problems.ts';
import {
  type ColumnPositions,
  findColumns,
  parseSaleRow,
  type SaleRowFault,
} from '../../core/sales/parse-sale-row.ts';
import { createSaleClock } from '../../core/sales/parse-sale-time.ts';
import type { SaleLine } from '../../core/sales/sale-line.ts';
import { isPersonalColumn, type SaleField, type SalesFormat } from '../../core/sales/sales-format.ts';
import { joinDsfinvk, type SalesFiles } from './join-dsfinvk.ts';
import { maxSalesColumns, maxSalesFileBytes, maxSalesRows, type Pause, readRows } from './read-rows.ts';
import { fileError } from './sales-bounds.ts';

/** What a row of a file is. */
export type ReadRow =
  | { readonly kind: 'head'; readonly columns: readonly string[]; readonly missing: readonly SaleField[] }
  | { readonly kind: 'line'; readonly row: number; readonly line: SaleLine }
  | { readonly kind: 'skipped'; readonly row: number }
  | { readonly kind: 'bad'; readonly row: number; readonly fault: SaleRowFault };

interface ReadOptions {
  readonly format: SalesFormat;
  /** Of the currency of the site. */
  readonly minorDigits: number;
  readonly pause: Pause;
  /** Whether the column with the names of sellers is read; default false. */
  readonly hasSellers?: boolean;
}

/**
 * Reads the lines of files. The first row is the head, with the names of the columns, of which those that name persons are left out
 * and not read, unless `hasSellers`. Ends after the head when a required column is missing. Throws `invalid_request` for a file beyond the bounds.
 */
export async function* readSales(
  files: SalesFiles,
  { format, minorDigits, pause, hasSellers = false }: ReadOptions,
): AsyncGenerator<ReadRow> {
  for (const bytes of [files.main, files.transactions])
    if (bytes !== undefined && bytes.length > maxSalesFileBytes)
      throw fileError(createProblem('sales_file_too_large', { most: maxSalesFileBytes / 1_048_576 }));
  const isUtf16 = files.main[0] === 0xff && files.main[1] === 0xfe;
  if (isUtf16 || (files.main[0] === 0xfe && files.main[1] === 0xff))
    throw fileError(createProblem('sales_file_utf16'));
  const toMs = createSaleClock(format.timeZone);
  let positions: ColumnPositions | null = null;
  let rows = 0;
  const texts =
    format.preset === 'dsfinvk' ? joinDsfinvk(files, format, pause) : readRows(files.main, format, pause);
  for await (const { line: row, cells } of texts) {
    if (positions === null && cells !== null) {
      const found = findColumns(cells, format, hasSellers);
      positions = found.positions;
      yield {
        kind: 'head',
        columns: cells
          .slice(0, maxSalesColumns)
          .map((name) => name.trim().slice(0, 128))
          .filter((name) => name !== '' && (hasSellers || !isPersonalColumn(name))),
        missing: found.missing,
      };
      if (found.missing.length > 0) return;
      continue;
    }
    rows += 1;
    if (rows > maxSalesRows) throw fileError(createProblem('sales_too_many_rows', { most: maxSalesRows }));
    if (cells === null || positions === null) yield { kind: 'bad', row, fault: 'quotes' };
    else if (format.preset === 'dsfinvk' && cells.length === 0)
      yield { kind: 'bad', row, fault: 'transaction' };
    else if (cells.length > maxSalesColumns) yield { kind: 'bad', row, fault: 'cells' };
    else {
      const parsed = parseSaleRow(cells, positions, format, minorDigits);
      if (parsed.kind !== 'line') {
        yield { ...parsed, row };
        continue;
      }
      const { time, ...line } = parsed.line;
      yield { kind: 'line', row, line: { ...line, timeMs: toMs(time) } };
    }
  }
}
