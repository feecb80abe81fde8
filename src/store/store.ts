import { dirname } from 'node:path';
import { createAccessTables } from './access/access-tables.ts';
import { clockTimes } from './clock-times.ts';
import { createControllerTables } from './controllers/controller-tables.ts';
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
import { createDrinkTables } from './drinks/drink-tables.ts';
import { extensionTables, type StoreExtension } from './extension.ts';
import { createKegTables } from './kegs/keg-tables.ts';
import { createNotificationTables } from './notifications/notification-tables.ts';
import { personData } from './person-data.ts';
import { createPictureTables } from './pictures/picture-tables.ts';
import { createReportTables } from './reports/report-tables.ts';
import { schemaStepsWith } from './schema/migrations.ts';
import { createCaches } from './shared/caches.ts';
import { provisionalTimesTable } from './shared/provisional-times-table.ts';
import type { TableParts } from './shared/table-parts.ts';
import { createSiteTables } from './site/site-tables.ts';
import { createTapTables } from './taps/tap-tables.ts';
import { createTemperatureTables } from './temperatures/temperature-tables.ts';
import { createTransactions } from './transactions.ts';
import { createUserTables } from './users/user-tables.ts';

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

/** The tables of an open database by subject, the transactions on them, and its checks. */
export function createTables(
  db: Database,
  file: string,
  diskSpace: DiskSpace,
  extensions: readonly StoreExtension[] = [],
) {
  const quickCheck = db.prepare<[], string>('PRAGMA quick_check(20)').pluck();
  const foreignKeyCheck = db.prepare<[], { table: string }>('PRAGMA foreign_key_check');
  const caches = createCaches(db);
  const parts: TableParts = { db, caches, extensions };
  const pictures = createPictureTables(parts, file);
  const drinks = createDrinkTables(parts);
  const allPersonData = [...personData, ...extensions.flatMap((one) => one.personData ?? [])];
  const tablesOf = extensionTables(db, caches);
  return {
    users: createUserTables(parts, allPersonData, drinks.totals),
    kegs: createKegTables(parts),
    taps: createTapTables(parts),
    temperatures: createTemperatureTables(parts),
    access: createAccessTables(parts),
    drinks,
    controllers: createControllerTables(parts),
    reports: createReportTables(parts),
    notifications: createNotificationTables(parts),
    site: createSiteTables(parts),
    pictures,
    /** The tables of an extension. */
    tablesOf,
    /** Rows of extensions whose kegs follow from tap and time. */
    placedRows: () => extensions.flatMap((one) => one.placedRows?.(tablesOf(one)) ?? []),
    /** What deletes the records that extensions keep for some time only. */
    oldRecords: (nowMs: number) => extensions.flatMap((one) => one.oldRecords?.(tablesOf(one), nowMs) ?? []),
    /** Times that a wrong clock wrote, in all tables. */
    provisionalTimes: provisionalTimesTable(
      db,
      clockTimes,
      extensions.map(({ clockTimes: times = {} }) => times),
    ),
    /** Decides whether the disk has space for a write. */
    diskSpace,
    cachedUntilWrite: caches.untilWrite,
    cachedUntilChange: caches.untilChange,
    ...createTransactions(db, caches, pictures),
    /** Empties the write-ahead log, as far as nobody else is reading. */
    emptyLog: (): void => emptyLog(db),
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
      pictures.files.close();
    },
    /** Closes a damaged database and leaves its file unchanged, byte for byte. */
    closeWithoutCheckpoint(): void {
      closeWithoutCheckpoint(db);
      pictures.files.close();
    },
  };
}
