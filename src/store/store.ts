import { alarmsTable } from './alarms-table.ts';
import { auditTable } from './audit-table.ts';
import { beveragesTable } from './beverages-table.ts';
import { correctionsTable } from './corrections-table.ts';
import { openDatabase, openToLook, storeFault } from './database.ts';
import { deviceCommandsTable } from './device-commands-table.ts';
import { deviceCursorsTable } from './device-cursors-table.ts';
import { devicesTable } from './devices-table.ts';
import { drinksTable } from './drinks-table.ts';
import { eventsTable } from './events-table.ts';
import { exportTable } from './export-table.ts';
import { grantTapsTable } from './grant-taps-table.ts';
import { grantsTable } from './grants-table.ts';
import { controllersTable, metersTable, togglesTable } from './hardware-table.ts';
import { kegsTable } from './kegs-table.ts';
import { keysTable } from './keys-table.ts';
import { countersTable, ledgerSums } from './ledger-sums.ts';
import { loginsTable } from './logins-table.ts';
import { lookTable } from './look-table.ts';
import { mailSettingsTable } from './mail-settings-table.ts';
import { mailedSecretsTable } from './mailed-secrets-table.ts';
import { notificationSettingsTable } from './notification-settings-table.ts';
import { outboxTable } from './outbox-table.ts';
import { pictureFiles } from './picture-files.ts';
import { picturesTable } from './pictures-table.ts';
import { pluginsTable } from './plugins-table.ts';
import { poursSetAsideTable } from './pours-set-aside-table.ts';
import { producersTable } from './producers-table.ts';
import { reportsTable } from './reports-table.ts';
import { rowsTable } from './rows-table.ts';
import { sessionsTable } from './sessions-table.ts';
import { siteTable } from './site-table.ts';
import { spillsTable } from './spills-table.ts';
import { stampsTable } from './stamps-table.ts';
import { statisticsTable } from './statistics-table.ts';
import { talliesTable } from './tallies-table.ts';
import { tapsTable } from './taps-table.ts';
import { thermoHoursTable } from './thermo-hours-table.ts';
import { thermoTable } from './thermo-table.ts';
import { tokensSeenTable } from './tokens-seen-table.ts';
import { tokensTable } from './tokens-table.ts';
import { upstreamTable } from './upstream-table.ts';
import { usersTable } from './users-table.ts';
import { whileQuiet } from './while-quiet.ts';
import { whileUnchanged } from './while-unchanged.ts';

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the ledger in `file` (or `:memory:`), creating or upgrading it. Throws a KegError `unavailable` that says what
 * to do when the file cannot be used. `toLook` neither creates nor upgrades nor writes anything.
 */
export function openStore({ file, toLook = false }: { readonly file: string; readonly toLook?: boolean }) {
  const db = toLook ? openToLook(file) : openDatabase(file);
  const run = db.transaction(<T>(work: () => T): T => work());
  const quickCheck = db.prepare<[], string>('PRAGMA quick_check(20)').pluck();
  const files = pictureFiles(file);
  const looseEnds = db.prepare<[], { table: string }>('PRAGMA foreign_key_check');
  return {
    site: siteTable(db),
    users: usersTable(db),
    keys: keysTable(db),
    logins: loginsTable(db),
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
    look: lookTable(db),
    stamps: stampsTable(db),
    counters: countersTable(db),
    tallies: talliesTable(db),
    statistics: statisticsTable(db),
    outbox: outboxTable(db),
    mailSettings: mailSettingsTable(db),
    mailedSecrets: mailedSecretsTable(db),
    notificationSettings: notificationSettingsTable(db),
    plugins: pluginsTable(db),
    alarms: alarmsTable(db),
    upstream: upstreamTable(db),
    sums: ledgerSums(db),
    /** For what is read far more often than anything is written; the value is shared, so nobody may change it. */
    whileUnchanged: whileUnchanged(db),
    /** The same for what only a few tables tell, which a pour does not write into. */
    whileQuiet: whileQuiet(db),
    /** Runs `work` wholly or not at all; nobody else writes between its reads and its writes. */
    transaction<T>(work: () => T): T {
      try {
        return run.immediate(work) as T;
      } catch (fault) {
        throw storeFault(fault);
      }
    },
    /** One consistent look at the ledger, while others go on writing. */
    snapshot<T>(look: () => T): T {
      try {
        return run.deferred(look) as T;
      } catch (fault) {
        throw storeFault(fault);
      }
    },
    /** What SQLite itself finds wrong with the file; empty when it is sound. Reads the whole file. */
    faults(): readonly string[] {
      const damage = quickCheck.all().filter((line) => line !== 'ok');
      return [...damage, ...looseEnds.all().map((row) => `A row of ${row.table} points at nothing.`)];
    },
    close(): void {
      db.close();
      files.close();
    },
  };
}
