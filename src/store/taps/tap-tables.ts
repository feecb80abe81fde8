import type { TableParts } from '../shared/table-parts.ts';
import { emptyKegsTable } from './empty-kegs-table.ts';
import { kegMeasureTable } from './keg-measure-table.ts';
import { kegSpansTable } from './keg-spans-table.ts';
import { meterEvidenceTable } from './meter-evidence-table.ts';
import { metersTable } from './meters-table.ts';
import { pinEntriesTable } from './pin-entries-table.ts';
import { tapFlowTable } from './tap-flow-table.ts';
import { tapLossesTable } from './tap-losses-table.ts';
import { tapRatesTable } from './tap-rates-table.ts';
import { tapServingSizesTable } from './tap-serving-sizes-table.ts';
import { tapsTable } from './taps-table.ts';
import { togglesTable } from './toggles-table.ts';

/** Taps, the devices at them, and what is known of their flow. */
export const createTapTables = ({ db, caches, extensions }: TableParts) => ({
  ...tapsTable(db, caches),
  servingSizes: tapServingSizesTable(db),
  rates: tapRatesTable(db, caches),
  flow: tapFlowTable(db),
  losses: tapLossesTable(db),
  kegSpans: kegSpansTable(db, caches),
  kegMeasures: kegMeasureTable(db),
  emptyKegs: emptyKegsTable(db),
  meters: metersTable(db, caches),
  meterEvidence: meterEvidenceTable(
    db,
    extensions.flatMap((one) => one.evidenceKinds ?? []),
  ),
  toggles: togglesTable(db),
  pinEntries: pinEntriesTable(db),
});
