import type { TableParts } from '../shared/table-parts.ts';
import { boardCountersTable } from './board-counters-table.ts';
import { controllersTable } from './controllers-table.ts';

/** Controllers, and how far the counters of their boards were. */
export const createControllerTables = ({ db, extensions }: TableParts) => ({
  ...controllersTable(
    db,
    extensions.flatMap(({ controllerReports = [] }) => controllerReports),
  ),
  boardCounters: boardCountersTable(db),
});
