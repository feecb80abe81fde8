import { requireFound } from '../../../../engine/shared/bounds.ts';
import type { SaleLine } from '../../core/sale-line.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import type { SaleView } from '../../store/sales-table.ts';
import { createLineKeys, toStoredLine } from './add-lines.ts';
import type { Pause } from './sales-table.ts';

/** Lines that are listed. */
const maxListed = 20;
/** Stored lines that are read at once. */
const linesPerStep = 500;

/** What an import would do to the lines of a till. */
export interface PreviewedChanges {
  readonly newLines: number;
  readonly changedLines: number;
  /** Lines in the span of the file that it does not have; 0 unless it is complete for its span. */
  readonly goneLines: number;
  /** The first of them, as they would be. */
  readonly changed: readonly SaleLine[];
  /** The first of them, as they are. */
  readonly gone: readonly SaleView[];
}

/** Compares the lines of a file with what is stored of a till. Throws `not_found`. */
export function compareWithStored(store: SalesDatabase, tillId: number) {
  requireFound(Number.isSafeInteger(tillId) ? store.tills.byId(tillId) : null, `till ${tillId}`);
  const keyOf = createLineKeys();
  const keys = new Set<string>();
  const changed: SaleLine[] = [];
  let [newLines, changedLines] = [0, 0];
  return {
    add(line: SaleLine): void {
      const key = keyOf(line);
      keys.add(key);
      const itemId = store.tillItems.find(tillId, line.itemKey, line.variant)?.id ?? 0;
      const sale = { ...toStoredLine(line), tillId, importId: 0, itemId, key, seller: null };
      const added = store.sales.compare(sale);
      if (added === 'new') newLines += 1;
      if (added !== 'changed') return;
      changedLines += 1;
      if (changed.length < maxListed) changed.push(line);
    },

    /** `span` is that of a file with all lines in it; null of others. */
    async changes(
      span: { readonly firstMs: number; readonly lastMs: number } | null,
      pause: Pause,
    ): Promise<PreviewedChanges> {
      const gone: SaleView[] = [];
      let goneLines = 0;
      let after = { tillId, timeMs: span?.firstMs ?? 0, id: 0, lastMs: span?.lastMs ?? 0 };
      for (let more = span !== null; more; await pause()) {
        const rows = store.sales.currentAfter(after, linesPerStep);
        for (const row of rows) {
          if (keys.has(row.key)) continue;
          goneLines += 1;
          if (gone.length < maxListed) gone.push(row);
        }
        const last = rows.at(-1);
        more = last !== undefined;
        if (last !== undefined) after = { ...after, timeMs: last.timeMs, id: last.id };
      }
      return { newLines, changedLines, goneLines, changed, gone };
    },
  };
}
