import type Sqlite from 'better-sqlite3';

type Statement = Sqlite.Statement<unknown[], unknown>;

/**
 * Makes `db.prepare` compile a statement when it is first used. Of more than 900 statements an idle daemon uses fewer than a hundred; the
 * others took 8 MiB and a fifth of the time until it counts. A wrong statement is noticed at its first use only, so that a test compiles all of
 * them (`test/store/store.test.ts`).
 */
export function prepareLazily(db: Sqlite.Database): Sqlite.Database {
  const prepare = db.prepare.bind(db);
  const prepareLater = (sql: string) => new LazyStatement(() => prepare<unknown[]>(sql)) as unknown;
  db.prepare = prepareLater as typeof db.prepare;
  return db;
}

/** Those methods of a statement that the tables use. */
class LazyStatement
  implements Pick<Statement, 'run' | 'get' | 'all' | 'iterate' | 'columns' | 'pluck' | 'raw'>
{
  readonly #prepare: () => Statement;
  #prepared: Statement | null = null;
  /** What the rows are returned as: objects, their first column, or arrays. */
  #mode: 'object' | 'pluck' | 'raw' = 'object';

  constructor(prepare: () => Statement) {
    this.#prepare = prepare;
  }

  run(...values: unknown[]) {
    return this.#statement().run(...values);
  }

  get(...values: unknown[]) {
    return this.#statement().get(...values);
  }

  all(...values: unknown[]) {
    return this.#statement().all(...values);
  }

  iterate(...values: unknown[]) {
    return this.#statement().iterate(...values);
  }

  columns() {
    return this.#statement().columns();
  }

  pluck(isOn = true): Statement {
    return this.#setMode(isOn ? 'pluck' : 'object');
  }

  raw(isOn = true): Statement {
    return this.#setMode(isOn ? 'raw' : 'object');
  }

  #setMode(mode: 'object' | 'pluck' | 'raw'): Statement {
    if (mode !== this.#mode) this.#prepared = null;
    this.#mode = mode;
    return this as unknown as Statement;
  }

  #statement(): Statement {
    this.#prepared ??= this.#mode === 'object' ? this.#prepare() : this.#prepare()[this.#mode]();
    return this.#prepared;
  }
}
