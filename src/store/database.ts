import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../core/app-error.ts';
import { makeFolder } from './make-folder.ts';
import { createPrivateFile, restrictToOwner } from './private-files.ts';
import { migrate, mustBeToday } from './schema/migrations.ts';

export type Database = Sqlite.Database;

/** How long a statement waits for another process (`tapster user`, a backup) that holds the file, milliseconds. */
const busyMs = 1_000;

/**
 * A pour changes a dozen pages by one short row each, and every one of them is written whole: half of SQLite's usual
 * page is half of the card's wear. A ledger that is there already keeps the size it began with.
 */
const pageBytes = 2_048;

/** A ledger in memory begins as a copy of the first one: taking every step anew costs more than most uses of it. */
let emptyDatabase: Buffer | undefined;

/** Opens or creates the ledger and brings its schema up to date; `:memory:` keeps it nowhere. */
export function openDatabase(file: string): Database {
  const db = openFile(file);
  try {
    db.pragma(`page_size = ${pageBytes}`);
    // A pour that was answered must survive a pulled plug: WAL with FULL syncs the log at every commit.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // Sorting in memory spares the SD card.
    db.pragma('temp_store = MEMORY');
    migrate(db);
    if (file === ':memory:') emptyDatabase ??= db.serialize();
  } catch (fault) {
    closeWithoutCheckpoint(db);
    throw fault instanceof AppError ? fault : toDatabaseError(fault);
  }
  return db;
}

/**
 * Closes a ledger without touching its file: whoever closes one last has SQLite write the log back into it, and of a
 * damaged one every byte may yet be needed.
 */
export function closeWithoutCheckpoint(db: Database): void {
  const witness = db.open && !db.memory ? openWitness(db.name) : null;
  db.close();
  // Not the last any more; and one who may only read writes nothing back.
  witness?.close();
}

function openWitness(file: string): Database | null {
  try {
    const witness = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      // From its first read on it counts as a user of the log, even where that read finds damage.
      witness.pragma('user_version');
    } catch {
      // The damage is known.
    }
    return witness;
  } catch {
    return null;
  }
}

/**
 * Opens a ledger to look at it only: nothing is created, upgraded or written. Throws `unavailable` for one that cannot be
 * read, or whose schema is not today's.
 */
export function openReadOnly(file: string): Database {
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: busyMs });
    try {
      mustBeToday(db);
      db.pragma('temp_store = MEMORY');
    } catch (fault) {
      db.close();
      throw fault;
    }
    return db;
  } catch (fault) {
    throw toDatabaseError(fault);
  }
}

/** Says what a failing database means at the bar; anything else is passed on as it is. */
export function toDatabaseError(fault: unknown): unknown {
  if (!(fault instanceof Sqlite.SqliteError)) return fault;
  const reason = describeSqliteCode(fault.code);
  if (reason === null) return fault;
  return new AppError('unavailable', reason.sentence, { cause: fault, reason: { name: reason.name } });
}

function openFile(file: string): Database {
  try {
    if (file === ':memory:') return new Sqlite(emptyDatabase ?? file);
    // People and keys are in it: folder and file are the daemon's own, and SQLite gives log and index the file's mode.
    makeFolder(dirname(file));
    createPrivateFile(file);
    for (const suffix of ['', '-wal', '-shm', '-journal']) restrictToOwner(`${file}${suffix}`);
    return new Sqlite(file, { timeout: busyMs });
  } catch (cause) {
    throw new AppError(
      'unavailable',
      'The ledger cannot be opened: check that its folder belongs to this user and that the disk is not full.',
      { cause },
    );
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
      sentence: 'Another program holds the ledger: try again in a moment.',
    } as const;
  }
  if (/^SQLITE_READONLY/.test(code)) {
    return {
      name: 'database_read_only',
      sentence:
        'The ledger is read-only: check the owner of the file and whether the disk is mounted for writing.',
    } as const;
  }
  if (/^SQLITE_(IOERR|CANTOPEN|PROTOCOL)/.test(code)) {
    return {
      name: 'disk_faulty',
      sentence: 'The disk does not answer as it should: check the SD card and its free space.',
    } as const;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return {
      name: 'database_damaged',
      sentence: 'The ledger is damaged or no ledger at all: put a backup in its place.',
    } as const;
  }
  return null;
}
