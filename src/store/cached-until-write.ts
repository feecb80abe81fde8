import type { Database } from './database.ts';

/** Makes a reading that is done once and then repeated from memory until somebody writes into the ledger. */
export type CachedUntilWrite = <T>(read: () => T) => () => T;

/**
 * Two counters of SQLite tell together of every write: rows changed through this connection, and commits of other
 * ones. Both only ever grow, so what was read between two equal looks at them is still so.
 */
export function cachedUntilWrite(db: Database): CachedUntilWrite {
  const ownChanges = db.prepare<[], number>('SELECT total_changes()').pluck();
  const foreignCommits = db.prepare<[], number>('PRAGMA data_version').pluck();
  return <T>(read: () => T) => {
    let cached: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
    return () => {
      // What a transaction sees may yet be undone; it is nobody else's business.
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
