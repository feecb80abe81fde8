import type Sqlite from 'better-sqlite3';
import { AppError } from '../core/app-error.ts';

/** A connection whose statements are compiled when they are first used. */
export type LazyDatabase = Omit<Sqlite.Database, 'prepare'> & {
  prepare<Values extends unknown[] | object = unknown[], Row = unknown>(
    sql: string,
  ): Values extends unknown[] ? Statement<Values, Row> : Statement<[Values], Row>;
};

/** What the tables use of a statement of better-sqlite3. */
export interface Statement<Values extends unknown[], Row> {
  run(...values: Values): Sqlite.RunResult;
  get(...values: Values): Row | undefined;
  all(...values: Values): Row[];
  iterate(...values: Values): IterableIterator<Row>;
  columns(): Sqlite.ColumnDefinition[];
  /** Rows are their first column. */
  pluck(isOn?: boolean): this;
  /** Rows are arrays. */
  raw(isOn?: boolean): this;
}

/**
 * Makes `db.prepare` compile a statement when it is first used: of more than 900 statements an idle daemon uses fewer than a hundred, and all
 * of them take 8 MiB. A wrong statement is noticed at its first use only, so that a test compiles all of them (`test/store/store.test.ts`).
 */
export function prepareLazily(db: Sqlite.Database): LazyDatabase {
  const prepare = db.prepare.bind(db);
  const prepareLater = (sql: string) => new LazyStatement(db, () => prepare<unknown[]>(sql));
  return Object.assign(db, { prepare: prepareLater }) as unknown as LazyDatabase;
}

/**
 * Throws `unavailable` for a closed connection: a request that runs while the daemon stops or its database is replaced is no fault.
 */
export function requireOpen(db: Pick<Sqlite.Database, 'open'>): void {
  if (!db.open)
    throw new AppError('unavailable', 'The database is closed.', { reason: { name: 'database_not_open' } });
}

class LazyStatement implements Statement<unknown[], unknown> {
  readonly #db: Sqlite.Database;
  readonly #prepare: () => Sqlite.Statement<unknown[]>;
  #prepared: Sqlite.Statement<unknown[]> | null = null;
  #mode: 'object' | 'pluck' | 'raw' = 'object';

  constructor(db: Sqlite.Database, prepare: () => Sqlite.Statement<unknown[]>) {
    this.#db = db;
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

  pluck(isOn = true): this {
    return this.#setMode(isOn ? 'pluck' : 'object');
  }

  raw(isOn = true): this {
    return this.#setMode(isOn ? 'raw' : 'object');
  }

  #setMode(mode: 'object' | 'pluck' | 'raw'): this {
    if (mode !== this.#mode) this.#prepared = null;
    this.#mode = mode;
    return this;
  }

  #statement(): Sqlite.Statement<unknown[]> {
    requireOpen(this.#db);
    this.#prepared ??= this.#mode === 'object' ? this.#prepare() : this.#prepare()[this.#mode]();
    return this.#prepared;
  }
}
