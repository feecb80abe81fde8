import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../core/app-error.ts';
import { createProblem } from '../core/health/problems.ts';
import { createPrivateFile, fileStats, makeFolder, requireWritable, restrictToOwner } from './files.ts';
import { type LazyDatabase, prepareLazily } from './lazy-statements.ts';
import {
  migrate,
  requireCurrentSchema,
  type SchemaStep,
  schemaSteps,
  storeProgramVersion,
  versionOf,
} from './schema/migrations.ts';

export type Database = LazyDatabase;

/**
 * How long a statement of the daemon waits for a lock of another process (`tapster user`, a backup), milliseconds: the
 * daemon counts meanwhile, but answers nobody.
 */
const busyMs = 1_000;

/**
 * A pour changes a dozen pages by one short row each, and SQLite writes whole pages: half of the usual page
 * size halves the wear of the card. An existing database keeps its page size.
 */
const pageBytes = 2_048;

/**
 * Images of migrated empty databases by the SQL of their schema. Each further `:memory:` database with that schema is a
 * copy, which skips all migrations.
 */
const emptyDatabases = new Map<string, Buffer>();

/**
 * Cache of a connection of the archive process, KiB; SQLite's default for others is 16 MB. Copying and checking read each
 * page about once, and a second process must fit beside the daemon on a Pi with 512 MB.
 */
const smallCacheKib = 2_048;

/** Limits the memory of a connection: a small cache, and temporary tables in files. */
export function limitMemory(db: Database): void {
  db.pragma(`cache_size = -${smallCacheKib}`);
  db.pragma('temp_store = FILE');
}

/** Who opens a database that may have an older schema. */
export interface Upgrade {
  /** Version of the program; it is stored in the database. */
  readonly programVersion: string;
  /** Steps of the program's schema; tests pass those of a later program. */
  readonly steps?: readonly SchemaStep[];
}

/** How a database is opened for writing. */
interface OpenOptions {
  readonly waitMs?: number | undefined;
  readonly upgrade?: Upgrade | undefined;
  /** The schema of base and extensions; that of `upgrade`, else the base's, unless given. */
  readonly steps?: readonly SchemaStep[];
}

/**
 * Opens or creates the database; `:memory:` opens one without a file. A statement waits up to `waitMs` for a lock of
 * another process. Only with `upgrade` an existing database takes the schema steps it lacks: its caller has made a backup.
 * Without it an older schema is refused as `unavailable`.
 */
export function openDatabase(
  file: string,
  { waitMs = busyMs, upgrade, steps = upgrade?.steps ?? schemaSteps }: OpenOptions = {},
): Database {
  const image = file === ':memory:' ? steps.map(({ sql }) => sql).join('') : null;
  const db = openFile(file, waitMs, image === null ? undefined : emptyDatabases.get(image));
  try {
    db.pragma(`page_size = ${pageBytes}`);
    // An acknowledged pour must survive a power cut: WAL with FULL syncs the log at every commit.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Deleted values are overwritten where the page is written anyway.
    db.pragma('secure_delete = FAST');
    // Temporary tables in memory, to spare the SD card.
    db.pragma('temp_store = MEMORY');
    if (upgrade === undefined && versionOf(db) > 0) requireCurrentSchema(db);
    migrate(db, steps);
    if (upgrade !== undefined) storeProgramVersion(db, upgrade.programVersion);
    readSchema(db);
    if (image !== null && !emptyDatabases.has(image)) emptyDatabases.set(image, db.serialize());
  } catch (fault) {
    closeWithoutCheckpoint(db);
    throw fault instanceof AppError ? fault : toDatabaseError(fault);
  }
  return prepareLazily(db);
}

/**
 * Closes a database without changing its file. The last connection that closes makes SQLite write the log
 * back into the file; of a damaged database every byte may be needed for recovery. A second, read-only
 * connection prevents this.
 */
export function closeWithoutCheckpoint(db: Database): void {
  const second = db.open && !db.memory ? openSecondConnection(db.name) : null;
  db.close();
  // The last connection to close is now a read-only one, which writes nothing back.
  second?.close();
}

function openSecondConnection(file: string): Database | null {
  try {
    const second = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      // The first read registers the connection as a user of the log, even if the read finds damage.
      second.pragma('user_version');
    } catch {
      // The caller already knows of the damage.
    }
    return second;
  } catch {
    return null;
  }
}

/**
 * Opens a database for reading only: creates, migrates and writes nothing. Throws `unavailable` if the file
 * cannot be read or its schema is not the current one.
 */
export function openReadOnly(file: string, waitMs: number = busyMs): Database {
  requireAccess(file, constants.R_OK);
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: waitMs });
    try {
      requireCurrentSchema(db);
      db.pragma('temp_store = MEMORY');
      readSchema(db);
    } catch (fault) {
      db.close();
      throw fault;
    }
    return prepareLazily(db);
  } catch (fault) {
    throw toDatabaseError(fault);
  }
}

/** Throws the system's error where this user may not use the database, for which SQLite only says that it cannot be opened. */
export function requireAccess(file: string, mode: number): void {
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (fileStats(path) === null) continue;
    accessSync(path, constants.R_OK);
    if ((mode & constants.W_OK) !== 0) requireWritable(path);
  }
}

/** Makes SQLite read all of the schema, so that damage in it is found at once and not by the first statement. */
const readSchema = (db: Database): void => void db.prepare('SELECT count(*) FROM sqlite_schema').get();

/** Converts an SQLite error into `unavailable` with advice; returns any other error unchanged. */
export function toDatabaseError(fault: unknown): unknown {
  if (!(fault instanceof Sqlite.SqliteError)) return fault;
  const reason = describeSqliteCode(fault.code);
  if (reason === null) return fault;
  return new AppError('unavailable', reason.sentence, { cause: fault, reason: { name: reason.name } });
}

function openFile(file: string, waitMs: number, image: Buffer | undefined): Sqlite.Database {
  try {
    if (file === ':memory:') return new Sqlite(image ?? file);
    // The file contains personal data and keys, so folder and file belong to the daemon's user alone. SQLite
    // gives its log and index the mode of the file.
    makeFolder(dirname(file));
    createPrivateFile(file);
    for (const suffix of ['', '-wal', '-shm', '-journal']) restrictToOwner(`${file}${suffix}`);
    requireAccess(file, constants.R_OK | constants.W_OK);
    return new Sqlite(file, { timeout: waitMs });
  } catch (cause) {
    throw new AppError('unavailable', createProblem('database_file_not_opened'), { cause });
  }
}

function describeSqliteCode(code: string) {
  if (code === 'SQLITE_FULL')
    return {
      name: 'disk_full',
      sentence: 'The disk is full, nothing more can be recorded: free some space.',
    } as const;
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return {
      name: 'database_busy',
      sentence: 'Another program is using the database: try again in a moment.',
    } as const;
  }
  if (/^SQLITE_READONLY/.test(code)) {
    return {
      name: 'database_read_only',
      sentence:
        'The database is read-only: check the owner of the file and whether the disk is mounted for writing.',
    } as const;
  }
  if (/^SQLITE_(IOERR|CANTOPEN|PROTOCOL)/.test(code)) {
    return {
      name: 'disk_faulty',
      sentence: 'Reading from or writing to the disk fails: check the SD card and its free space.',
    } as const;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return {
      name: 'database_damaged',
      sentence: 'The database is damaged or is not a database: replace it with a backup.',
    } as const;
  }
  return null;
}
