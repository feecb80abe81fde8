import type { Database } from '../database.ts';

/** Returns a function that caches the result of `read` until anything is written to the database. */
export type CachedUntilWrite = <T>(read: () => T) => () => T;

/**
 * Detects every write by two counters of SQLite: rows changed by this connection, and commits of other
 * connections. Both only grow, so equal counters mean that the cached value is still valid.
 */
export function cachedUntilWrite(db: Database): CachedUntilWrite {
  const ownChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
  const foreignCommits = db.prepare<[], number>('PRAGMA data_version').pluck();
  return <T>(read: () => T) => {
    let cached: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
    return () => {
      // A transaction may read its own uncommitted rows, which may still be rolled back.
      if (db.inTransaction) return read();
      const own = ownChanges.get()!;
      const foreign = foreignCommits.get()!;
      if (cached === undefined || cached.own !== own || cached.foreign !== foreign) {
        cached = { value: read(), own, foreign };
      }
      return cached.value;
    };
  };
}
