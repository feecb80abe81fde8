import type { TableParts } from '../shared/table-parts.ts';
import { auditTable } from './audit-table.ts';
import { exportTable } from './export-table.ts';
import { flowTable } from './flow-table.ts';
import { reportsTable } from './reports-table.ts';
import { statisticsTable } from './statistics-table.ts';

/** What is read of many drinks at once, and the audit log. */
export const createReportTables = ({ db, extensions }: TableParts) => ({
  ...reportsTable(
    db,
    extensions.flatMap(
      (one) => one.includedTax?.({ beverageId: 'o.beverage_id', sizeId: 'p.serving_size_id' }) ?? [],
    ),
  ),
  statistics: statisticsTable(db),
  flow: flowTable(db),
  exports: exportTable(
    db,
    extensions.flatMap((one) => one.exports ?? []),
  ),
  audit: auditTable(db),
});
