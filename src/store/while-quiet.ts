import type { Database } from './database.ts';

/** A table that is read far more often than written; a change of the columns left out is none. */
export interface QuietTable {
  readonly table: string;
  readonly except?: readonly string[];
}

/**
 * Makes a reading that is repeated from memory for as long as nobody writes into these tables, while others are written
 * all the time. The value is shared, so nobody may change it; a `Map` may be filled with further readings of them.
 */
export type WhileQuiet = <T>(tables: readonly QuietTable[], read: () => T) => () => T;

interface Watch {
  /** Gives the name under which its changes are noted. */
  readonly on: (table: QuietTable) => string;
  /** Changes seen through this connection of each table, without the columns left out. */
  readonly writes: Map<string, number>;
  /** Those of them that a transaction has made and that may yet be rolled back. */
  readonly unsettled: Set<string>;
  foreignCommits(): number;
}

const watches = new WeakMap<Database, Watch>();

/** Triggers of this connection alone tell of its own writes, a counter of SQLite of those of other ones. */
export function whileQuiet(db: Database): WhileQuiet {
  const watch = watches.get(db) ?? watchOver(db);
  watches.set(db, watch);
  return <T>(tables: readonly QuietTable[], read: () => T) => {
    const names = tables.map(watch.on);
    let kept: { readonly value: T; readonly own: number; readonly foreign: number } | undefined;
    return () => {
      if (!db.inTransaction) watch.unsettled.clear();
      // What a transaction has written may yet be undone; what it reads of it is nobody else's business.
      else if (names.some((name) => watch.unsettled.has(name))) return read();
      const own = names.reduce((sum, name) => sum + watch.writes.get(name)!, 0);
      const foreign = watch.foreignCommits();
      if (kept === undefined || kept.own !== own || kept.foreign !== foreign) {
        kept = { value: read(), own, foreign };
      }
      return kept.value;
    };
  };
}

function watchOver(db: Database): Watch {
  const foreignCommits = db.prepare<[], number>('PRAGMA data_version').pluck();
  const writes = new Map<string, number>();
  const unsettled = new Set<string>();
  db.function('note_write', (name) => {
    writes.set(String(name), writes.get(String(name))! + 1);
    unsettled.add(String(name));
    return null;
  });
  return {
    writes,
    unsettled,
    foreignCommits: () => foreignCommits.get()!,
    on({ table, except = [] }) {
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
