import type { SalesImport } from '../../store/sales-imports-table.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import type { CompleteSpan, SalesAfter } from '../../store/sales-table.ts';
import type { Pause } from './sales-table.ts';

/** Lines changed per transaction: some milliseconds on a Pi. */
const linesPerStep = 25;

const toSpan = (record: SalesImport | null): CompleteSpan | null => {
  if (!record?.isComplete || record.firstMs === null || record.lastMs === null) return null;
  const { id, tillId, firstMs, lastMs } = record;
  return { id, tillId, firstMs, lastMs };
};

/** Imports that have all lines of their till from their first to their last one. */
export function createCompleteImports(store: SalesDatabase) {
  const { salesImports, sales } = store;

  /** Lets the lines count again that were gone by an import, in steps; call it once it is complete no longer, or being undone. */
  const restore = async (span: CompleteSpan, pause: Pause): Promise<void> => {
    const { tillId, firstMs, lastMs } = span;
    for (let after: SalesAfter | null = { tillId, timeMs: firstMs, id: 0, lastMs }; after !== null; ) {
      const from: SalesAfter = after;
      after = store.relaxedRecording(() => sales.showHidden(from, linesPerStep));
      await pause();
    }
  };

  return {
    /** Notes whether an import is complete for its span; lines of earlier imports that it does not have count no longer. */
    async apply(id: number, isComplete: boolean, pause: Pause): Promise<void> {
      const before = toSpan(salesImports.byId(id));
      if (!isComplete) {
        if (before === null) return;
        store.relaxedRecording(() => salesImports.setGone(id, false, 0));
        return restore(before, pause);
      }
      let gone = salesImports.byId(id)?.goneLines ?? 0;
      store.relaxedRecording(() => salesImports.setGone(id, true, gone));
      const span = toSpan(salesImports.byId(id));
      for (let hidden = 1; span !== null && hidden > 0; await pause())
        hidden = store.relaxedRecording(() => {
          const count = sales.hideMissing(span, linesPerStep);
          gone += count;
          salesImports.setGone(id, true, gone);
          return count;
        });
    },

    /** Restores what was gone by an import whose lines have been removed. */
    async undo(id: number, pause: Pause): Promise<void> {
      const span = toSpan(salesImports.byId(id));
      if (span !== null) await restore(span, pause);
    },
  };
}
