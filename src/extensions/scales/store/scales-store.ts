import type { Database } from '../../../store/database.ts';
import type { StoreExtension } from '../../../store/extension.ts';
import type { Store } from '../../../store/store.ts';
import { scalesTimes } from './clock-times.ts';
import { scaleFindingsTable } from './scale-findings-table.ts';
import { scaleReadingsTable } from './scale-readings-table.ts';
import { scalesTable } from './scales-table.ts';
import { scalesSchema } from './schema.ts';

const scaleTables = (db: Database) => ({
  scales: scalesTable(db),
  scaleReadings: scaleReadingsTable(db),
  scaleFindings: scaleFindingsTable(db),
});

/** The tables of scales, their readings and findings. */
export type ScaleTables = ReturnType<typeof scaleTables>;

/** What the database must know of scales. */
export const scalesStore = {
  name: 'scales',
  schema: scalesSchema,
  clockTimes: scalesTimes,
  // Also for a month after the last one was deleted, which can be undone.
  setUpBy: 'SELECT 1 WHERE EXISTS (SELECT 1 FROM scales) OR EXISTS (SELECT 1 FROM scale_readings)',
  evidenceKinds: ['scale'],
  tables: scaleTables,
} as const satisfies StoreExtension<ScaleTables>;

/** The database of the base with the tables of this extension. */
export type ScaleDatabase = Store & ScaleTables;

export const withScales = (store: Store): ScaleDatabase => ({ ...store, ...store.tablesOf(scalesStore) });
