import { cachedUntilTableWrite } from './cached-until-table-write.ts';
import { cachedUntilWrite } from './cached-until-write.ts';
import {
  closeWithoutCheckpoint,
  type Database,
  openDatabase,
  openReadOnly,
  toDatabaseError,
} from './database.ts';
import { pictureFiles } from './pictures/picture-files.ts';
import { countersTable, totalChecks } from './stored-totals.ts';
import { alarmsTable } from './tables/alarms-table.ts';
import { auditTable } from './tables/audit-table.ts';
import { beveragesTable } from './tables/beverages-table.ts';
import { correctionsTable } from './tables/corrections-table.ts';
import { databaseStats } from './tables/database-stats.ts';
import { deviceCommandsTable } from './tables/device-commands-table.ts';
import { deviceCursorsTable } from './tables/device-cursors-table.ts';
import { devicesTable } from './tables/devices-table.ts';
import { drinksTable } from './tables/drinks-table.ts';
import { eventsTable } from './tables/events-table.ts';
import { exportTable } from './tables/export-table.ts';
import { flowTable } from './tables/flow-table.ts';
import { grantTapsTable } from './tables/grant-taps-table.ts';
import { grantsTable } from './tables/grants-table.ts';
import { controllersTable, metersTable, togglesTable } from './tables/hardware-table.ts';
import { kegsTable } from './tables/kegs-table.ts';
import { keysTable } from './tables/keys-table.ts';
import { listCountersTable } from './tables/list-counters-table.ts';
import { loginsTable } from './tables/logins-table.ts';
import { mailSettingsTable } from './tables/mail-settings-table.ts';
import { mailedSecretsTable } from './tables/mailed-secrets-table.ts';
import { notificationSettingsTable } from './tables/notification-settings-table.ts';
import { outboxTable } from './tables/outbox-table.ts';
import { picturesTable } from './tables/pictures-table.ts';
import { pinsTable } from './tables/pins-table.ts';
import { pluginsTable } from './tables/plugins-table.ts';
import { poursSetAsideTable } from './tables/pours-set-aside-table.ts';
import { producersTable } from './tables/producers-table.ts';
import { provisionalTimesTable } from './tables/provisional-times-table.ts';
import { reportsTable } from './tables/reports-table.ts';
import { rowsTable } from './tables/rows-table.ts';
import { sessionsTable } from './tables/sessions-table.ts';
import { siteTable } from './tables/site-table.ts';
import { spillsTable } from './tables/spills-table.ts';
import { statisticsTable } from './tables/statistics-table.ts';
import { tabletsTable } from './tables/tablets-table.ts';
import { tapsTable } from './tables/taps-table.ts';
import { thermoHoursTable } from './tables/thermo-hours-table.ts';
import { thermoTable } from './tables/thermo-table.ts';
import { tokensSeenTable } from './tables/tokens-seen-table.ts';
import { tokensTable } from './tables/tokens-table.ts';
import { upstreamTable } from './tables/upstream-table.ts';
import { usersTable } from './tables/users-table.ts';

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the ledger in `file` (or `:memory:`), creating or upgrading it. Throws a AppError `unavailable` that says what
 * to do when the file cannot be used. `toLook` neither creates nor upgrades nor writes anything.
 */
export function openStore({
  file,
  readOnly = false,
}: {
  readonly file: string;
  readonly readOnly?: boolean;
}) {
  const db = readOnly ? openReadOnly(file) : openDatabase(file);
  try {
    return createTables(db, file);
  } catch (fault) {
    // A schema whose pages are damaged is met only when its tables are asked for.
    closeWithoutCheckpoint(db);
    throw toDatabaseError(fault);
  }
}

function createTables(db: Database, file: string) {
  const run = db.transaction(<T>(work: () => T): T => work());
  const quickCheck = db.prepare<[], string>('PRAGMA quick_check(20)').pluck();
  const files = pictureFiles(file);
  const foreignKeyCheck = db.prepare<[], { table: string }>('PRAGMA foreign_key_check');
  return {
    site: siteTable(db),
    users: usersTable(db),
    keys: keysTable(db),
    logins: loginsTable(db),
    pins: pinsTable(db),
    tablets: tabletsTable(db),
    tokens: tokensTable(db),
    beverages: beveragesTable(db),
    producers: producersTable(db),
    kegs: kegsTable(db),
    taps: tapsTable(db),
    controllers: controllersTable(db),
    meters: metersTable(db),
    toggles: togglesTable(db),
    thermo: thermoTable(db),
    thermoHours: thermoHoursTable(db),
    drinks: drinksTable(db),
    flow: flowTable(db),
    sessions: sessionsTable(db),
    events: eventsTable(db),
    spills: spillsTable(db),
    /** Who changed what by hand. */
    audit: auditTable(db),
    corrections: correctionsTable(db),
    /** Whole rows, for putting back what a correction changed. */
    rows: rowsTable(db),
    pictures: picturesTable(db),
    /** The pictures themselves, in `pictures/` beside the ledger. */
    pictureFiles: files,
    devices: devicesTable(db),
    deviceCursors: deviceCursorsTable(db),
    deviceCommands: deviceCommandsTable(db),
    grants: grantsTable(db),
    grantTaps: grantTapsTable(db),
    tokensSeen: tokensSeenTable(db),
    poursSetAside: poursSetAsideTable(db),
    exports: exportTable(db),
    reports: reportsTable(db),
    databaseStats: databaseStats(db),
    provisionalTimes: provisionalTimesTable(db),
    counters: countersTable(db),
    listCounters: listCountersTable(db),
    statistics: statisticsTable(db),
    outbox: outboxTable(db),
    mailSettings: mailSettingsTable(db),
    mailedSecrets: mailedSecretsTable(db),
    notificationSettings: notificationSettingsTable(db),
    plugins: pluginsTable(db),
    alarms: alarmsTable(db),
    upstream: upstreamTable(db),
    totalChecks: totalChecks(db),
    /** For what is read far more often than anything is written; the value is shared, so nobody may change it. */
    cachedUntilWrite: cachedUntilWrite(db),
    /** The same for what only a few tables tell, which a pour does not write into. */
    cachedUntilTableWrite: cachedUntilTableWrite(db),
    /** Runs `work` wholly or not at all; nobody else writes between its reads and its writes. */
    transaction<T>(work: () => T): T {
      try {
        return run.immediate(work) as T;
      } catch (fault) {
        throw toDatabaseError(fault);
      }
    },
    /** One consistent look at the ledger, while others go on writing. */
    snapshot<T>(work: () => T): T {
      try {
        return run.deferred(work) as T;
      } catch (fault) {
        throw toDatabaseError(fault);
      }
    },
    /** What SQLite itself finds wrong with the file; empty when it is sound. Reads the whole file. */
    faults(): readonly string[] {
      const damage = quickCheck.all().filter((line) => line !== 'ok');
      return [...damage, ...foreignKeyCheck.all().map((row) => `A row of ${row.table} points at nothing.`)];
    },
    close(): void {
      db.close();
      files.close();
    },
    /** Closes a damaged ledger; its file stays byte for byte what it is. */
    closeWithoutCheckpoint(): void {
      closeWithoutCheckpoint(db);
      files.close();
    },
  };
}
