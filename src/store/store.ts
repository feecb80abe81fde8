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
 * Opens the database in `file` (or `:memory:`) and creates or migrates it. With `readOnly` it creates,
 * migrates and writes nothing. Throws an AppError `unavailable` that says what to do if the file cannot be
 * used.
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
    // Damaged pages of the schema are found only when statements are prepared.
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
    audit: auditTable(db),
    corrections: correctionsTable(db),
    /** Whole rows, for undoing corrections. */
    rows: rowsTable(db),
    pictures: picturesTable(db),
    /** The picture files, in `pictures/` beside the database. */
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
    /** For values read far more often than anything is written. Callers must not change the value. */
    cachedUntilWrite: cachedUntilWrite(db),
    /** The same for values that depend on a few tables which a pour does not write. */
    cachedUntilTableWrite: cachedUntilTableWrite(db),
    /** Runs `work` in one immediate transaction: all or nothing, and no other connection writes meanwhile. */
    transaction<T>(work: () => T): T {
      try {
        return run.immediate(work) as T;
      } catch (fault) {
        throw toDatabaseError(fault);
      }
    },
    /** Runs `work` on one consistent state of the database; other connections may write meanwhile. */
    snapshot<T>(work: () => T): T {
      try {
        return run.deferred(work) as T;
      } catch (fault) {
        throw toDatabaseError(fault);
      }
    },
    /** Problems found by SQLite's quick check and foreign key check. Reads the whole file. */
    faults(): readonly string[] {
      const damage = quickCheck.all().filter((line) => line !== 'ok');
      const dangling = foreignKeyCheck.all();
      return [
        ...damage,
        ...dangling.map((row) => `A row of ${row.table} refers to a row that does not exist.`),
      ];
    },
    close(): void {
      db.close();
      files.close();
    },
    /** Closes a damaged database and leaves its file unchanged, byte for byte. */
    closeWithoutCheckpoint(): void {
      closeWithoutCheckpoint(db);
      files.close();
    },
  };
}
