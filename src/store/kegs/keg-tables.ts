import type { TableParts } from '../shared/table-parts.ts';
import { beveragesTable } from './beverages-table.ts';
import { catalogueMergesTable } from './catalogue-merges-table.ts';
import { formerBeveragesTable } from './former-beverages-table.ts';
import { kegWeighingsTable } from './keg-weighings-table.ts';
import { kegsTable } from './kegs-table.ts';
import { priceListsTable } from './price-lists-table.ts';
import { priceSchedulesTable } from './price-schedules-table.ts';
import { producersTable } from './producers-table.ts';
import { servingSizesTable } from './serving-sizes-table.ts';

/** Kegs, what is in them, and what it costs. */
export const createKegTables = ({ db, caches, extensions }: TableParts) => ({
  ...kegsTable(db),
  weighings: kegWeighingsTable(db),
  formerBeverages: formerBeveragesTable(db),
  beverages: beveragesTable(db, caches),
  producers: producersTable(db),
  catalogueMerges: catalogueMergesTable(
    db,
    extensions.flatMap(({ beverageIds = [] }) => beverageIds),
  ),
  servingSizes: servingSizesTable(
    db,
    extensions.flatMap(({ beforeSizeDeletion = [] }) => beforeSizeDeletion),
  ),
  priceLists: priceListsTable(db),
  priceSchedules: priceSchedulesTable(db),
});
