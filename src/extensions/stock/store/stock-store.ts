import type { Database } from '../../../store/database.ts';
import type { StoreExtension } from '../../../store/extension.ts';
import type { ClockTimes } from '../../../store/shared/clock-times.ts';
import { provisionalTimesTable } from '../../../store/shared/provisional-times-table.ts';
import { restoredTable } from '../../../store/shared/restored-rows.ts';
import { stockExports } from './export-plans.ts';
import { kegPurchasesTable } from './keg-purchases-table.ts';
import { stockSchema } from './schema.ts';
import { stockCountsTable } from './stock-counts-table.ts';

const clockTimes = {
  stock_counts: { time_ms: { moves: 'stock_count' } },
} as const satisfies ClockTimes;

export const purchasesTable = restoredTable('keg_purchases');
export const countsTable = restoredTable('stock_counts');
export const countLinesTable = restoredTable('stock_count_lines');

const stockTables = (db: Database) => ({
  purchases: kegPurchasesTable(db),
  counts: stockCountsTable(db),
  /** Notes of times that follow when a wrong clock is corrected. */
  times: provisionalTimesTable(db, clockTimes),
});

export type StockTables = ReturnType<typeof stockTables>;

/** What the database knows of this extension. */
export const stockStore = {
  name: 'stock',
  schema: stockSchema,
  clockTimes,
  personData: { forgets: ['stock_counts.user_id'] },
  restoredRows: [
    { table: purchasesTable, kegColumn: 'keg_id' },
    { table: countsTable },
    { table: countLinesTable },
  ],
  exports: stockExports,
  tables: stockTables,
} as const satisfies StoreExtension<StockTables>;
