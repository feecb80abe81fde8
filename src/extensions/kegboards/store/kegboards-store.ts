import type { Database } from '../../../store/database.ts';
import type { StoreExtension } from '../../../store/extension.ts';
import { duration, monotonic, renewed, shown } from '../../../store/shared/clock-times.ts';
import { kegboardCommandsTable } from './kegboard-commands-table.ts';
import { kegboardCursorsTable } from './kegboard-cursors-table.ts';
import { kegboardsTable } from './kegboards-table.ts';
import { kegboardsPersonData } from './person-data.ts';
import { refusedPoursTable } from './refused-pours-table.ts';
import { kegboardsSchema } from './schema.ts';

/** Statements on the tables of boards. */
export type KegboardTables = ReturnType<typeof kegboardTables>;

const kegboardTables = (db: Database) => ({
  kegboards: kegboardsTable(db),
  cursors: kegboardCursorsTable(db),
  commands: kegboardCommandsTable(db),
  refusedPours: refusedPoursTable(db),
});

/** What the database knows of this extension. */
export const kegboardsStore = {
  name: 'kegboards',
  schema: kegboardsSchema,
  clockTimes: {
    kegboards: { first_seen_ms: shown, last_seen_ms: renewed, uptime_ms: duration },
    kegboard_commands: { mono_ms: monotonic },
    refused_pours: { time_ms: shown },
  },
  personData: kegboardsPersonData,
  // A board gets 404 while it is off, and drops its pours. `whyInUse` names it.
  keptOn: `SELECT 1 FROM kegboards WHERE state <> 'denied' AND controller_id IS NOT NULL LIMIT 1`,
  controllerReports: { table: 'kegboards', controllerId: 'controller_id', timeMs: 'last_seen_ms' },
  tables: kegboardTables,
} as const satisfies StoreExtension<KegboardTables>;
