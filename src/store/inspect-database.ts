import { constants } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { limitMemory, requireAccess, toDatabaseError } from './database.ts';
import {
  rejectUnusable,
  type StoredVersions,
  schemaSteps,
  storedVersions,
  versionOf,
} from './schema/migrations.ts';

/** Schema version and integrity of a database file. */
interface DatabaseInspection {
  readonly version: number;
  /** The schema version of this program. */
  readonly newest: number;
  /** What it stores about itself; null for an empty database. */
  readonly stored: StoredVersions | null;
  /** Problems that SQLite's quick check and foreign key check find; reads the whole file. */
  damage(): readonly string[];
}

/**
 * Stores that the program of `version` has made a backup of the database and opens it next, so that a start that
 * fails after the backup does not make another one each time.
 */
export function storeBackedUpFor(file: string, version: string): void {
  const db = new Sqlite(file, { fileMustExist: true });
  try {
    db.prepare('UPDATE schema_info SET backed_up_for = ?').run(version);
  } catch (fault) {
    throw toDatabaseError(fault);
  } finally {
    db.close();
  }
}

/**
 * Reads the state of a database and changes nothing. Throws `unavailable` if the file is no database or a program with
 * `newest` schema steps cannot use it.
 */
export function inspectDatabase(file: string, newest: number = schemaSteps.length): DatabaseInspection {
  requireAccess(file, constants.R_OK);
  const withReadOnly = <T>(read: (db: Sqlite.Database) => T): T => {
    try {
      const db = new Sqlite(file, { readonly: true, fileMustExist: true });
      try {
        limitMemory(db);
        return read(db);
      } finally {
        db.close();
      }
    } catch (fault) {
      throw toDatabaseError(fault);
    }
  };
  return {
    ...withReadOnly((db) => {
      rejectUnusable(db, newest);
      return { version: versionOf(db), stored: storedVersions(db) };
    }),
    newest,
    damage: () =>
      withReadOnly((db) => {
        const lines = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all();
        const dangling = db.prepare<[], { table: string }>('PRAGMA foreign_key_check').all();
        return [
          ...lines.filter((line) => line !== 'ok'),
          ...dangling.map(({ table }) => `A row of ${table} refers to a row that does not exist.`),
        ];
      }),
  };
}
