import type { TableParts } from '../shared/table-parts.ts';
import { databaseStats } from './database-stats.ts';
import { diskWritesTable } from './disk-writes-table.ts';
import { featuresTable } from './features-table.ts';
import { siteTable } from './site-table.ts';
import { totalChecks } from './stored-totals.ts';

/** Settings of the bar, and what concerns the whole database. */
export const createSiteTables = ({ db, caches, extensions }: TableParts) => ({
  ...siteTable(db, caches),
  features: featuresTable(db, extensions),
  diskWrites: diskWritesTable(db),
  databaseStats: databaseStats(db),
  totalChecks: totalChecks(
    db,
    extensions.flatMap((one) => one.totalChecks ?? []),
  ),
});
