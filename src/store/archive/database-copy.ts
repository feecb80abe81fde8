import Sqlite from 'better-sqlite3';
import { toDatabaseError } from '../database.ts';

/** What a backup wants to know of the ledger it holds. */
export interface CopiedDatabase {
  readonly schemaVersion: number;
  /** The house's title. */
  readonly title: string;
  /** Names of all pictures it mentions. */
  readonly pictures: readonly string[];
}

/** A copy waits its turn behind a commit; nobody waits for it, milliseconds. */
const busyMs = 10_000;

/**
 * Writes the ledger as it is at one instant into a new file, while others go on writing: one long read, which neither
 * holds up a commit nor begins anew with each. What was deleted is left out.
 */
export function copyDatabase(source: string, target: string): CopiedDatabase {
  try {
    const db = new Sqlite(source, { readonly: true, fileMustExist: true, timeout: busyMs });
    try {
      db.prepare('VACUUM INTO ?').run(target);
    } finally {
      db.close();
    }
    const copy = new Sqlite(target, { readonly: true, fileMustExist: true });
    try {
      return {
        schemaVersion: Number(copy.pragma('user_version', { simple: true })),
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
