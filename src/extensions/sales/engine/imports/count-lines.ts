import type { SaleLine } from '../../core/sale-line.ts';
import type { BadRow, ImportCounts } from '../../store/sales-imports-table.ts';

/** Bad rows that are listed. */
export const maxFaults = 100;

/** Counts what the rows of an import are. */
export function countLines() {
  let [lines, newLines, changedLines, skippedRows, badRows] = [0, 0, 0, 0, 0];
  let firstMs: number | null = null;
  let lastMs: number | null = null;
  const faults: BadRow[] = [];
  const note = (read: { kind: 'skipped' } | { kind: 'bad'; row: number; fault: BadRow['fault'] }): void => {
    if (read.kind === 'skipped') {
      skippedRows += 1;
      return;
    }
    badRows += 1;
    if (faults.length < maxFaults) faults.push({ line: read.row, fault: read.fault });
  };
  return {
    note,
    add(row: number, { timeMs }: SaleLine, added: 'new' | 'changed' | 'known' | null): void {
      if (added === null) {
        note({ kind: 'bad', row, fault: 'item' });
        return;
      }
      lines += 1;
      if (added === 'new') newLines += 1;
      if (added === 'changed') changedLines += 1;
      firstMs = Math.min(firstMs ?? timeMs, timeMs);
      lastMs = Math.max(lastMs ?? timeMs, timeMs);
    },
    counts: (): ImportCounts => ({
      lines,
      newLines,
      changedLines,
      skippedRows,
      badRows,
      faults,
      firstMs,
      lastMs,
    }),
  };
}
