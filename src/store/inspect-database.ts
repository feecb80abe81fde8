import Sqlite from 'better-sqlite3';
import { toDatabaseError } from './database.ts';
import { newestVersion, rejectUnusable, versionOf } from './schema/migrations.ts';

/** Schema version and integrity of a database file. */
interface DatabaseInspection {
  readonly version: number;
  /** The schema version of this program. */
  readonly newest: number;
  /** Problems that SQLite's quick check finds; reads the whole file. */
  damage(): readonly string[];
}

/** Reads the state of a database. Throws `unavailable` if the file is no database or this program cannot use it. */
export function inspectDatabase(file: string): DatabaseInspection {
  const withReadOnly = <T>(read: (db: Sqlite.Database) => T): T => {
    try {
      const db = new Sqlite(file, { readonly: true, fileMustExist: true });
      try {
        return read(db);
      } finally {
        db.close();
      }
    } catch (fault) {
      throw toDatabaseError(fault);
    }
  };
  return {
    version: withReadOnly((db) => {
      rejectUnusable(db);
      return versionOf(db);
    }),
    newest: newestVersion,
    damage: () =>
      withReadOnly((db) => {
        const lines = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all();
        return lines.filter((line) => line !== 'ok');
      }),
  };
}
