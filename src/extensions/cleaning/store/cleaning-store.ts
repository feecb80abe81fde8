import type { Database } from '../../../store/database.ts';
import type { StoreExtension } from '../../../store/extension.ts';
import type { Caches } from '../../../store/shared/caches.ts';
import { provisionalTimesTable } from '../../../store/shared/provisional-times-table.ts';
import type { Store } from '../../../store/store.ts';
import { cleaningEntriesTable, lastResultOf } from './cleaning-entries-table.ts';
import { cleaningPlansTable } from './cleaning-plans-table.ts';
import { cleaningPoursTable } from './cleaning-pours-table.ts';
import { cleaningsTable } from './cleanings-table.ts';
import { cleaningTimes } from './clock-times.ts';
import { cleaningExport } from './export-plan.ts';
import { cleaningPersonData } from './person-data.ts';
import { cleaningSchema } from './schema.ts';

/** The tables of the cleaning of lines. */
export type CleaningTables = ReturnType<typeof cleaningTables>;

/** Why a pour is set aside, and what lost the beer of its line. */
export const cleaningReason = 'cleaning';

/** What the database must know of the cleaning of lines. */
export const cleaningStore = {
  name: 'cleaning',
  schema: cleaningSchema,
  clockTimes: cleaningTimes,
  personData: cleaningPersonData,
  // A line with cleaner in it stays closed.
  keptOn: `SELECT 1 WHERE EXISTS (SELECT 1 FROM cleanings WHERE ended_time_ms IS NULL)
    OR EXISTS (SELECT 1 FROM cleanings WHERE end_reason = 'expired')
    OR EXISTS (SELECT 1 FROM taps WHERE ${lastResultOf('taps.id')} = 'failed')`,
  heldReasons: [cleaningReason],
  drinkColumns: [{ table: 'cleaning_pours', key: 'drink_id', column: 'cleaning_id' }],
  totalChecks: [
    `SELECT 'keg of the beer lost in cleaning ' || c.id AS what, coalesce(c.keg_id, 0) AS stored, coalesce(s.keg_id, 0) AS computed
     FROM cleaning_losses l JOIN cleanings c ON c.id = l.cleaning_id JOIN spills s ON s.id = l.spill_id`,
    `SELECT 'cause of spill ' || s.id, s.cause IS '${cleaningReason}', l.spill_id IS NOT NULL
     FROM spills s LEFT JOIN cleaning_losses l ON l.spill_id = s.id`,
    `SELECT 'cleaning of pour ' || d.id, d.held_reason IS '${cleaningReason}' AND d.is_set_aside, p.drink_id IS NOT NULL
     FROM drinks d LEFT JOIN cleaning_pours p ON p.drink_id = d.id WHERE d.is_valid <> 1 OR p.drink_id IS NOT NULL`,
  ],
  exports: [cleaningExport],
  tables: cleaningTables,
  placedRows: ({ cleanings }) => ({
    atTap: (tapId, sinceMs) =>
      cleanings
        .sinceAtTap(tapId, sinceMs)
        .map(({ id, kegId, startedMs: wallMs, bootId, startMonoMs: monoMs }) => ({
          id,
          kegId,
          began: { wallMs, bootId, monoMs },
        })),
    setKeg: cleanings.setKeg,
  }),
} as const satisfies StoreExtension<CleaningTables>;

function cleaningTables(db: Database, caches: Caches) {
  return {
    cleaningPlans: cleaningPlansTable(db),
    cleanings: cleaningsTable(db, caches),
    cleaningPours: cleaningPoursTable(db),
    cleaningEntries: cleaningEntriesTable(db),
    cleaningTimes: provisionalTimesTable(db, cleaningTimes),
  };
}

/** The database of the base with the tables of this extension. */
export type CleaningDatabase = Store & CleaningTables;

export const withCleanings = (store: Store): CleaningDatabase => ({
  ...store,
  ...store.tablesOf(cleaningStore),
});
