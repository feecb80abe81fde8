import type { Database } from '../database.ts';

/** A table whose writes clear the cache; changes of the columns in `except` do not. */
export interface WatchedTable {
  readonly table: string;
  readonly except?: readonly string[];
}

/**
 * Returns a function that caches the result of `read` until one of these tables is written; writes to other
 * tables do not matter. The value is shared, so callers must not change it; a `Map` may be filled with
 * further values read from them.
 */
export type CachedUntilTableWrite = <T>(tables: readonly WatchedTable[], read: () => T) => () => T;

interface TableWatch {
  /** Returns the name under which changes of the table are counted. */
  readonly watchTable: (table: WatchedTable) => string;
  /** Number of changes that this connection made, by name. */
  readonly writes: Map<string, number>;
  /** Names with changes of the current transaction, which may still be rolled back. */
  readonly uncommitted: Set<string>;
  foreignCommits(): number;
}

const watches = new WeakMap<Database, TableWatch>();

/** Detects own writes by temporary triggers, those of other connections by SQLite's `data_version`. */
export function cachedUntilTableWrite(db: Database): CachedUntilTableWrite {
  const watch = watches.get(db) ?? watchTables(db);
  watches.set(db, watch);
  return <T>(tables: readonly WatchedTable[], read: () => T) => {
    const names = tables.map(watch.watchTable);
    let cached: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
    return () => {
      if (!db.inTransaction) watch.uncommitted.clear();
      // The writes of this transaction may still be rolled back, so a value that contains them must not be
      // cached.
      else if (names.some((name) => watch.uncommitted.has(name))) return read();
      const own = names.reduce((sum, name) => sum + watch.writes.get(name)!, 0);
      const foreign = watch.foreignCommits();
      if (cached === undefined || cached.own !== own || cached.foreign !== foreign) {
        cached = { value: read(), own, foreign };
      }
      return cached.value;
    };
  };
}

function watchTables(db: Database): TableWatch {
  const foreignCommits = db.prepare<[], number>('PRAGMA data_version').pluck();
  const writes = new Map<string, number>();
  const uncommitted = new Set<string>();
  db.function('note_write', (name) => {
    writes.set(String(name), writes.get(String(name))! + 1);
    uncommitted.add(String(name));
    return null;
  });
  return {
    writes,
    uncommitted,
    foreignCommits: () => foreignCommits.get()!,
    watchTable({ table, except = [] }) {
      const name = [table, ...except].join('_without_');
      if (writes.has(name)) return name;
      writes.set(name, 0);
      const columns = db
        .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
        .pluck()
        .all(table)
        .filter((column) => !except.includes(column));
      for (const [kind, what] of [
        ['added', 'INSERT'],
        ['removed', 'DELETE'],
        ['changed', `UPDATE OF ${columns.join(', ')}`],
      ]) {
        db.exec(
          `CREATE TEMP TRIGGER ${name}_${kind} AFTER ${what} ON main.${table} BEGIN SELECT note_write('${name}'); END`,
        );
      }
      return name;
    },
  };
}
