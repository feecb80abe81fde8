import type { Database } from './database.ts';

/** A table that is read far more often than written; a change of the columns left out is none. */
export interface WatchedTable {
  readonly table: string;
  readonly except?: readonly string[];
}

/**
 * Makes a reading that is repeated from memory for as long as nobody writes into these tables, while others are written
 * all the time. The value is shared, so nobody may change it; a `Map` may be filled with further readings of them.
 */
export type CachedUntilTableWrite = <T>(tables: readonly WatchedTable[], read: () => T) => () => T;

interface TableWatch {
  /** Gives the name under which its changes are noted. */
  readonly watchTable: (table: WatchedTable) => string;
  /** Changes seen through this connection of each table, without the columns left out. */
  readonly writes: Map<string, number>;
  /** Those of them that a transaction has made and that may yet be rolled back. */
  readonly uncommitted: Set<string>;
  foreignCommits(): number;
}

const watches = new WeakMap<Database, TableWatch>();

/** Triggers of this connection alone tell of its own writes, a counter of SQLite of those of other ones. */
export function cachedUntilTableWrite(db: Database): CachedUntilTableWrite {
  const watch = watches.get(db) ?? watchTables(db);
  watches.set(db, watch);
  return <T>(tables: readonly WatchedTable[], read: () => T) => {
    const names = tables.map(watch.watchTable);
    let cached: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
    return () => {
      if (!db.inTransaction) watch.uncommitted.clear();
      // What a transaction has written may yet be undone; what it reads of it is nobody else's business.
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
