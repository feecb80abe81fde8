import Sqlite from 'better-sqlite3';
import { limitMemory, toDatabaseError } from '../database.ts';
import { storedVersions, versionOf } from '../schema/migrations.ts';

/** Facts about the copied database for the manifest. */
interface CopiedDatabase {
  readonly schemaVersion: number;
  /** Version of the daemon that opened the database last; null if none had. */
  readonly programVersion: string | null;
  /** The site's title. */
  readonly title: string;
  /** Names of all pictures in it. */
  readonly pictures: readonly string[];
}

/** How long the copy waits for a lock, milliseconds. Long, because no user waits for a backup. */
const busyMs = 10_000;

/**
 * Writes a consistent state of the database into a new file while others go on writing. `VACUUM INTO` is one
 * long read transaction, which neither blocks commits nor restarts at each one; deleted rows are not copied.
 */
export function copyDatabase(source: string, target: string): CopiedDatabase {
  try {
    const db = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: busyMs });
    try {
      limitMemory(db);
      db.prepare('VACUUM INTO ?').run(target);
    } finally {
      db.close();
    }
    const copy = new Sqlite(target, { readonly: true, fileMustExist: true });
    try {
      return {
        schemaVersion: versionOf(copy),
        programVersion: storedVersions(copy)?.programVersion ?? null,
        title: copy.prepare<[], string>('SELECT title FROM site').pluck().get()!,
        pictures: copy.prepare<[], string>('SELECT name FROM pictures ORDER BY id').pluck().all(),
      };
    } finally {
      copy.close();
    }
  } catch (fault) {
    throw toDatabaseError(fault);
  }
}
