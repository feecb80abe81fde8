import { dirname } from 'node:path';
import { grantTapsTable } from './access/grant-taps-table.ts';
import { grantsTable } from './access/grants-table.ts';
import { presentedTokensTable } from './access/presented-tokens-table.ts';
import { tokensTable } from './access/tokens-table.ts';
import { clockTimes } from './clock-times.ts';
import { boardCountersTable } from './controllers/board-counters-table.ts';
import {
  closeWithoutCheckpoint,
  type Database,
  limitMemory,
  openDatabase,
  openReadOnly,
  toDatabaseError,
  type Upgrade,
} from './database.ts';
import { createDiskSpace, type DiskSpace, type ReadFreeBytes } from './disk-space.ts';
import { correctionsTable } from './drinks/corrections-table.ts';
import { drinkTotalsTable } from './drinks/drink-totals-table.ts';
import { drinksTable } from './drinks/drinks-table.ts';
import { eventsTable } from './drinks/events-table.ts';
import { meterTotalsTable } from './drinks/meter-totals-table.ts';
import { reportedPoursTable } from './drinks/reported-pours-table.ts';
import { rowsTable } from './drinks/rows-table.ts';
import { sessionTimeoutsTable } from './drinks/session-timeouts-table.ts';
import { sessionsTable } from './drinks/sessions-table.ts';
import { spillsTable } from './drinks/spills-table.ts';
import { extensionTables, type StoreExtension } from './extension.ts';
import { beveragesTable } from './kegs/beverages-table.ts';
import { catalogueMergesTable } from './kegs/catalogue-merges-table.ts';
import { formerBeveragesTable } from './kegs/former-beverages-table.ts';
import { kegWeighingsTable } from './kegs/keg-weighings-table.ts';
import { kegsTable } from './kegs/kegs-table.ts';
import { priceListsTable } from './kegs/price-lists-table.ts';
import { priceSchedulesTable } from './kegs/price-schedules-table.ts';
import { producersTable } from './kegs/producers-table.ts';
import { servingSizesTable } from './kegs/serving-sizes-table.ts';
import { requireOpen } from './lazy-statements.ts';
import { alarmChannelsTable } from './notifications/alarm-channels-table.ts';
import { alarmDeliveriesTable } from './notifications/alarm-deliveries-table.ts';
import { alarmsTable } from './notifications/alarms-table.ts';
import { eventReceiversTable } from './notifications/event-receivers-table.ts';
import { mailSettingsTable } from './notifications/mail-settings-table.ts';
import { notificationSettingsTable } from './notifications/notification-settings-table.ts';
import { outboxTable } from './notifications/outbox-table.ts';
import { pluginsTable } from './notifications/plugins-table.ts';
import { personData } from './person-data.ts';
import { pictureFiles } from './pictures/picture-files.ts';
import { pictureUploadsTable } from './pictures/picture-uploads-table.ts';
import { picturesTable } from './pictures/pictures-table.ts';
import { auditTable } from './reports/audit-table.ts';
import { exportTable } from './reports/export-table.ts';
import { flowTable } from './reports/flow-table.ts';
import { reportsTable } from './reports/reports-table.ts';
import { statisticsTable } from './reports/statistics-table.ts';
import { balanceFactsTable } from './sales/balance-facts-table.ts';
import { closedMonthsTable } from './sales/closed-months-table.ts';
import { salesFilesTable } from './sales/sales-files-table.ts';
import { salesImportsTable } from './sales/sales-imports-table.ts';
import { salesTable } from './sales/sales-table.ts';
import { sellersTable } from './sales/sellers-table.ts';
import { servingsTable } from './sales/servings-table.ts';
import { soldTable } from './sales/sold-table.ts';
import { tillItemsTable } from './sales/till-items-table.ts';
import { tillsTable } from './sales/tills-table.ts';
import { scaleFindingsTable } from './scales/scale-findings-table.ts';
import { scaleReadingsTable } from './scales/scale-readings-table.ts';
import { scalesTable } from './scales/scales-table.ts';
import { schemaStepsWith } from './schema/migrations.ts';
import { createCaches } from './shared/caches.ts';
import { createHeldReasons } from './shared/held-reasons.ts';
import { provisionalTimesTable } from './shared/provisional-times-table.ts';
import { databaseStats } from './site/database-stats.ts';
import { diskWritesTable } from './site/disk-writes-table.ts';
import { featuresTable } from './site/features-table.ts';
import { siteTable } from './site/site-table.ts';
import { totalChecks } from './site/stored-totals.ts';
import { controllersTable } from './taps/controllers-table.ts';
import { emptyKegsTable } from './taps/empty-kegs-table.ts';
import { kegMeasureTable } from './taps/keg-measure-table.ts';
import { kegSpansTable } from './taps/keg-spans-table.ts';
import { meterEvidenceTable } from './taps/meter-evidence-table.ts';
import { metersTable } from './taps/meters-table.ts';
import { pinEntriesTable } from './taps/pin-entries-table.ts';
import { tapFlowTable } from './taps/tap-flow-table.ts';
import { tapLossesTable } from './taps/tap-losses-table.ts';
import { tapRatesTable } from './taps/tap-rates-table.ts';
import { tapServingSizesTable } from './taps/tap-serving-sizes-table.ts';
import { tapsTable } from './taps/taps-table.ts';
import { togglesTable } from './taps/toggles-table.ts';
import { deletedThermoTable } from './temperatures/deleted-thermo-table.ts';
import { thermoHoursTable } from './temperatures/thermo-hours-table.ts';
import { thermoTable } from './temperatures/thermo-table.ts';
import { erasure } from './users/erasure.ts';
import { keysTable } from './users/keys-table.ts';
import { loginsTable } from './users/logins-table.ts';
import { mailedSecretsTable } from './users/mailed-secrets-table.ts';
import { pinsTable } from './users/pins-table.ts';
import { tabletsTable } from './users/tablets-table.ts';
import { usersTable } from './users/users-table.ts';

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the database in `file` (or `:memory:`) and creates it if it is missing. With `upgrade` it takes the
 * schema steps that it lacks. With `readOnly` it creates and writes nothing. Throws an AppError `unavailable` that says what to do if the file cannot be
 * used.
 */
export function openStore({
  file,
  readOnly = false,
  lowMemory = false,
  waitMs,
  upgrade,
  extensions = [],
  readFreeBytes,
}: {
  readonly file: string;
  readonly readOnly?: boolean;
  /** For checks of a whole database in a process of its own: slower, with a few megabytes of memory. */
  readonly lowMemory?: boolean;
  /** How long a statement waits for a lock of another process, milliseconds; a second unless given. */
  readonly waitMs?: number;
  /** Allows to take the schema steps that the database lacks. */
  readonly upgrade?: Upgrade | undefined;
  /** All extensions of the program, on or off: a new database gets their tables. */
  readonly extensions?: readonly StoreExtension[];
  /** Free bytes of the disk; tests pass their own. */
  readonly readFreeBytes?: ReadFreeBytes;
}) {
  const steps = upgrade?.steps ?? schemaStepsWith(extensions);
  const db = readOnly ? openReadOnly(file, waitMs) : openDatabase(file, { waitMs, upgrade, steps });
  try {
    if (lowMemory) limitMemory(db);
    const isInMemory = file === ':memory:' && readFreeBytes === undefined;
    return createTables(
      db,
      file,
      createDiskSpace(isInMemory ? null : dirname(file), readFreeBytes),
      extensions,
    );
  } catch (fault) {
    closeWithoutCheckpoint(db);
    throw toDatabaseError(fault);
  }
}

/** Writes the log back into the database file and cuts it to no length. */
function emptyLog(db: Database): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // The transaction is committed or rolled back all the same, and SQLite writes the log back later.
  }
}

/** The tables of an open database, the transactions on them, and its checks. */
export function createTables(
  db: Database,
  file: string,
  diskSpace: DiskSpace,
  extensions: readonly StoreExtension[] = [],
) {
  const heldReasons = createHeldReasons(extensions);
  const run = db.transaction(<T>(work: () => T): T => work());
  const immediate = <T>(work: () => T): T => {
    let result: T;
    requireOpen(db);
    try {
      result = run.immediate(work) as T;
    } catch (fault) {
      throw toDatabaseError(fault);
    }
    // After the commit: a power cut in between leaves files, which the next sweep removes.
    if (!db.inTransaction) for (const name of pictures.takeUnreferenced()) files.removeNow(name);
    return result;
  };
  const quickCheck = db.prepare<[], string>('PRAGMA quick_check(20)').pluck();
  const files = pictureFiles(file);
  const caches = createCaches(db);
  const pictures = picturesTable(db, caches);
  const tablesOf = extensionTables(db, caches);
  const drinkTotals = drinkTotalsTable(db);
  const foreignKeyCheck = db.prepare<[], { table: string }>('PRAGMA foreign_key_check');
  return {
    site: siteTable(db, caches),
    features: featuresTable(db, extensions),
    /** The tables of an extension. */
    tablesOf,
    diskWrites: diskWritesTable(db),
    users: usersTable(db),
    /** Removes a person from every table. */
    erasure: erasure(db, [...personData, ...extensions.flatMap((one) => one.personData ?? [])], drinkTotals),
    keys: keysTable(db),
    logins: loginsTable(db),
    pins: pinsTable(db),
    tablets: tabletsTable(db),
    tokens: tokensTable(db),
    beverages: beveragesTable(db, caches),
    producers: producersTable(db),
    catalogueMerges: catalogueMergesTable(
      db,
      extensions.flatMap((one) => one.beverageIds ?? []),
    ),
    kegs: kegsTable(db),
    kegWeighings: kegWeighingsTable(db),
    servingSizes: servingSizesTable(db),
    priceLists: priceListsTable(db),
    priceSchedules: priceSchedulesTable(db),
    formerBeverages: formerBeveragesTable(db),
    taps: tapsTable(db, caches),
    tapServingSizes: tapServingSizesTable(db),
    tapRates: tapRatesTable(db, caches),
    tapFlow: tapFlowTable(db),
    tapLosses: tapLossesTable(db),
    emptyKegs: emptyKegsTable(db),
    /** Rows of extensions whose kegs follow from tap and time. */
    placedRows: () => extensions.flatMap((one) => one.placedRows?.(tablesOf(one)) ?? []),
    controllers: controllersTable(
      db,
      extensions.flatMap((one) => one.controllerReports ?? []),
    ),
    meters: metersTable(db, caches),
    meterEvidence: meterEvidenceTable(db),
    kegMeasures: kegMeasureTable(db),
    kegSpans: kegSpansTable(db, caches),
    toggles: togglesTable(db),
    pinEntries: pinEntriesTable(db),
    thermo: thermoTable(db),
    thermoHours: thermoHoursTable(db),
    deletedThermo: deletedThermoTable(db),
    scales: scalesTable(db),
    scaleReadings: scaleReadingsTable(db),
    scaleFindings: scaleFindingsTable(db),
    heldReasons,
    drinks: drinksTable(db, drinkTotals, heldReasons),
    drinkTotals,
    meterTotals: meterTotalsTable(db, caches),
    flow: flowTable(db),
    sessions: sessionsTable(db, drinkTotals),
    sessionTimeouts: sessionTimeoutsTable(db, caches),
    events: eventsTable(db),
    spills: spillsTable(db),
    reportedPours: reportedPoursTable(db),
    audit: auditTable(db),
    corrections: correctionsTable(db),
    /** Whole rows, for undoing corrections. */
    rows: rowsTable(
      db,
      drinkTotals,
      extensions.flatMap(({ restoredRows = [] }) => restoredRows),
      extensions.flatMap((one) => one.drinkColumns ?? []),
    ),
    pictures,
    pictureUploads: pictureUploadsTable(db),
    /** Decides whether the disk has space for a write. */
    diskSpace,
    /** The picture files, in `pictures/` beside the database. */
    pictureFiles: files,
    boardCounters: boardCountersTable(db),
    grants: grantsTable(db),
    grantTaps: grantTapsTable(db),
    presentedTokens: presentedTokensTable(db),
    exports: exportTable(db),
    reports: reportsTable(db),
    servings: servingsTable(db),
    tills: tillsTable(db),
    tillItems: tillItemsTable(db),
    salesImports: salesImportsTable(db),
    salesFiles: salesFilesTable(db),
    sales: salesTable(db),
    sold: soldTable(db),
    sellers: sellersTable(db, caches),
    balanceFacts: balanceFactsTable(db),
    closedMonths: closedMonthsTable(db),
    databaseStats: databaseStats(db),
    provisionalTimes: provisionalTimesTable(
      db,
      clockTimes,
      extensions.map(({ clockTimes: times = {} }) => times),
    ),
    statistics: statisticsTable(db),
    outbox: outboxTable(db),
    eventReceivers: eventReceiversTable(db, caches),
    mailSettings: mailSettingsTable(db),
    mailedSecrets: mailedSecretsTable(db),
    notificationSettings: notificationSettingsTable(db),
    plugins: pluginsTable(db),
    alarms: alarmsTable(db),
    alarmChannels: alarmChannelsTable(db),
    alarmDeliveries: alarmDeliveriesTable(db),
    totalChecks: totalChecks(
      db,
      extensions.flatMap((one) => one.totalChecks ?? []),
    ),
    cachedUntilWrite: caches.untilWrite,
    cachedUntilChange: caches.untilChange,
    /** Runs `work` in one immediate transaction: all or nothing, and no other connection writes meanwhile. */
    transaction: <T>(work: () => T): T => caches.changing(() => immediate(work)),
    /**
     * As `recording`, without waiting for the disk: a power cut may undo it, which must do no harm. Nothing else is affected; the next
     * commit of another kind makes this one last, too.
     */
    relaxedRecording<T>(work: () => T): T {
      requireOpen(db);
      db.pragma('synchronous = NORMAL');
      try {
        return caches.recording(() => immediate(work));
      } finally {
        db.pragma('synchronous = FULL');
      }
    },
    /** As `transaction`, and overwrites the deleted values in the database file; older values stay in the log until it is emptied. */
    overwritingTransaction<T>(work: () => T): T {
      requireOpen(db);
      db.pragma('secure_delete = ON');
      try {
        return caches.changing(() => immediate(work));
      } finally {
        db.pragma('secure_delete = FAST');
      }
    },
    /** Empties the write-ahead log, as far as nobody else is reading. */
    emptyLog: (): void => emptyLog(db),
    /** The same for pours and deliveries, which write no table that `cachedUntilChange` is used for: what it caches stays valid. */
    recording: <T>(work: () => T): T => caches.recording(() => immediate(work)),
    /** Runs `work` on one consistent state of the database; other connections may write meanwhile. */
    snapshot<T>(work: () => T): T {
      requireOpen(db);
      try {
        return caches.reading(() => run.deferred(work)) as T;
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
