import Sqlite from 'better-sqlite3';
import { toDatabaseError } from './database.ts';
import { newestVersion, versionOf } from './schema/migrations.ts';

/** How old a ledger's schema is. */
export interface DatabaseInspection {
  readonly version: number;
  /** What this program brings it up to. */
  readonly newest: number;
  /** What SQLite itself finds wrong with the file, whatever its version; reads all of it. */
  damage(): readonly string[];
}

/** Looks at a ledger of any age without changing it. Throws `unavailable` when the file is no database. */
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
    version: withReadOnly(versionOf),
    newest: newestVersion,
    damage: () =>
      withReadOnly((db) => {
        const lines = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all();
        return lines.filter((line) => line !== 'ok');
      }),
  };
}
