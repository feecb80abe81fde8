import Sqlite from 'better-sqlite3';
import { storeFault } from './database.ts';
import { newestVersion, versionOf } from './schema/migrations.ts';

/** How old a ledger's schema is. */
export interface LedgerAge {
  readonly version: number;
  /** What this program brings it up to. */
  readonly newest: number;
  /** What SQLite itself finds wrong with the file, whatever its version; reads all of it. */
  damage(): readonly string[];
}

/** Looks at a ledger of any age without changing it. Throws `unavailable` when the file is no database. */
export function ledgerAge(file: string): LedgerAge {
  const looking = <T>(look: (db: Sqlite.Database) => T): T => {
    try {
      const db = new Sqlite(file, { readonly: true, fileMustExist: true });
      try {
        return look(db);
      } finally {
        db.close();
      }
    } catch (fault) {
      throw storeFault(fault);
    }
  };
  return {
    version: looking(versionOf),
    newest: newestVersion,
    damage: () =>
      looking((db) => {
        const lines = db.prepare<[], string>('PRAGMA quick_check(20)').pluck().all();
        return lines.filter((line) => line !== 'ok');
      }),
  };
}
