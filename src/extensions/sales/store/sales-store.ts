import type { Database } from '../../../store/database.ts';
import type { StoreExtension } from '../../../store/extension.ts';
import type { Caches } from '../../../store/shared/caches.ts';
import { restoredTable } from '../../../store/shared/restored-rows.ts';
import type { Store } from '../../../store/store.ts';
import { balanceFactsTable } from './balance-facts-table.ts';
import { salesTimes } from './clock-times.ts';
import { closedMonthsTable } from './closed-months-table.ts';
import { mailedMonthTable } from './mailed-month-table.ts';
import { salesPersonData } from './person-data.ts';
import { salesFilesTable } from './sales-files-table.ts';
import { salesImportsTable } from './sales-imports-table.ts';
import { salesTable } from './sales-table.ts';
import { salesSchema } from './schema.ts';
import { sellersTable } from './sellers-table.ts';
import { servingsTable } from './servings-table.ts';
import { soldTable } from './sold-table.ts';
import { tillItemsTable } from './till-items-table.ts';
import { tillsTable } from './tills-table.ts';

/** The tables of tills and of what they sold. */
export type SalesTables = ReturnType<typeof salesTables>;

/** The database of the base with the tables of this extension. */
export type SalesDatabase = Store & SalesTables;

export const servingRows = restoredTable('servings');
export const codeRows = restoredTable('serving_codes');

/** The tax in the amounts of all tills, hundredths of a percent; null without a till. */
const tillTax = '(SELECT max(included_tax_basis_points) FROM tills)';

const dayMs = 86_400_000;

/** What the database must know of the sales. */
export const salesStore = {
  name: 'sales',
  schema: salesSchema,
  clockTimes: salesTimes,
  personData: salesPersonData,
  beverageIds: [
    { table: 'till_item_components', column: 'beverage_id', key: ['id'] },
    {
      table: 'servings',
      column: 'beverage_id',
      key: ['id'],
      // Of a size of which the kept beverage says something, that holds.
      where: 'serving_size_id NOT IN (SELECT serving_size_id FROM servings WHERE beverage_id = @to)',
    },
  ],
  restoredRows: [
    {
      table: servingRows,
      beverageColumn: 'beverage_id',
      size: { column: 'serving_size_id', withoutSize: 'deleted' },
    },
    { table: codeRows, owner: { table: servingRows, column: 'serving_id' } },
    {
      table: restoredTable('till_item_components'),
      size: { column: 'serving_size_id', withoutSize: 'kept' },
      // A product that was mapped again since holds what that says.
      keepsLaterChanges: true,
    },
  ],
  // What the products of tills hold in it stays, also for the past.
  beforeSizeDeletion: [
    `UPDATE till_item_components AS c SET liquid_ml = coalesce(
       (SELECT v.liquid_ml FROM servings v WHERE v.beverage_id = c.beverage_id AND v.serving_size_id = @id),
       (SELECT z.volume_ml FROM serving_sizes z WHERE z.id = @id), c.liquid_ml)
     WHERE c.serving_size_id = @id`,
  ],
  includedTax: ({ beverageId, sizeId }) =>
    `iif(${tillTax} = 0, 0, coalesce((SELECT v.tax_basis_points FROM servings v
       WHERE v.beverage_id = ${beverageId} AND v.serving_size_id = ${sizeId}), ${tillTax}))`,
  exports: [
    {
      kind: 'sales',
      // A version of a line that does not count is left out.
      table: '(SELECT * FROM sales WHERE is_current = 1)',
      time: 'x.time_ms',
      columns: `x.id, x.time_ms AS time, t.name AS till, x.check_id, i.key AS item_key, i.name AS item_name, i.variant,
        i.category, x.kind, x.quantity, x.gross_minor, x.discount_minor, x.net_minor, x.import_id`,
      joins: 'JOIN tills t ON t.id = x.till_id JOIN till_items i ON i.id = x.item_id',
    },
  ],
  oldRecords({ sellers }, nowMs) {
    const { reason, days } = sellers.settings();
    return reason === null ? null : () => sellers.removeBefore(nowMs - days * dayMs);
  },
  tables: salesTables,
} as const satisfies StoreExtension<SalesTables>;

function salesTables(db: Database, caches: Caches) {
  return {
    servings: servingsTable(db),
    tills: tillsTable(db),
    tillItems: tillItemsTable(db),
    salesImports: salesImportsTable(db),
    salesFiles: salesFilesTable(db),
    sales: salesTable(db),
    sold: soldTable(db),
    sellers: sellersTable(db, caches),
    balanceFacts: balanceFactsTable(db),
    closedMonths: closedMonthsTable(db),
    mailedMonth: mailedMonthTable(db),
  };
}

export const withSales = (store: Store): SalesDatabase => ({ ...store, ...store.tablesOf(salesStore) });
