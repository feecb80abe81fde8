import { createHeldReasons } from '../shared/held-reasons.ts';
import type { TableParts } from '../shared/table-parts.ts';
import { correctionsTable } from './corrections-table.ts';
import { drinkTotalsTable } from './drink-totals-table.ts';
import { drinksTable } from './drinks-table.ts';
import { eventsTable } from './events-table.ts';
import { meterTotalsTable } from './meter-totals-table.ts';
import { reportedPoursTable } from './reported-pours-table.ts';
import { rowsTable } from './rows-table.ts';
import { sessionTimeoutsTable } from './sessions/session-timeouts-table.ts';
import { sessionsTable } from './sessions/sessions-table.ts';
import { spillsTable } from './spills-table.ts';

/** What was poured, and its corrections. */
export function createDrinkTables({ db, caches, extensions }: TableParts) {
  const totals = drinkTotalsTable(db);
  const heldReasons = createHeldReasons(extensions);
  return {
    ...drinksTable(db, totals, heldReasons),
    heldReasons,
    totals,
    meterTotals: meterTotalsTable(db, caches),
    sessions: sessionsTable(db, totals),
    sessionTimeouts: sessionTimeoutsTable(db, caches),
    events: eventsTable(db),
    spills: spillsTable(db),
    reportedPours: reportedPoursTable(db),
    corrections: correctionsTable(db),
    /** Whole rows, for undoing corrections. */
    rows: rowsTable(
      db,
      totals,
      extensions.flatMap(({ restoredRows = [] }) => restoredRows),
      extensions.flatMap(({ drinkColumns = [] }) => drinkColumns),
    ),
  };
}
