import type { LazyDatabase as Database } from '../lazy-statements.ts';
import { createTraceFinder, type PersonTraces, type TraceFinder } from './person-traces.ts';

/**
 * What the tables of a subject hold of a person, and how it goes when the person is erased. Each subject declares its own;
 * `store/person-data.ts` lists them all. Columns are written `table.column`.
 */
export interface PersonData {
  /** Columns of user ids whose rows are deleted with the account, after all statements. */
  readonly deletes?: readonly string[];
  /** Columns of user ids that SQLite empties when the last drink is detached and the row of the account is deleted. */
  readonly forgets?: readonly string[];
  /** Columns that the statements and parts below clean. */
  readonly cleans?: readonly string[];
  /** Columns that hold no person although their names look so: what they hold. */
  readonly others?: Readonly<Record<string, string>>;
  /** Statements for the user `@id`, run at once, in their order. */
  readonly byUser?: readonly string[];
  /** Statements for each address `@email` of the person. */
  readonly byEmail?: readonly string[];
  /** Statements for each token `@value` of `@device` of the person. */
  readonly byToken?: readonly string[];
  /** Selects id, device and value of the tokens of the user `@id`. */
  readonly tokens?: string;
  /** What goes in steps, because it may be many rows; the parts in their order. */
  readonly parts?: (db: Database, totals: DrinkTotals) => readonly ErasurePart[];
}

/** Keeps the totals of drinks equal to their sums. */
export interface DrinkTotals {
  moveToNobody(userId: number): void;
  writingUser(drinkId: number, write: () => void): void;
}

/**
 * Part of an erasure: removes the traces from a number of rows after `lastRow`, 0 at first. Returns the last row that is
 * clean, or null when the part is finished.
 */
export type ErasurePart = (traces: PersonTraces, lastRow: number) => number | null;

/** Rows of a step; few of the texts name the person. */
export const textsPerStep = 500;

/** Cleans each row that `sql` selects, which ends with a comparison of the rowid. */
export function eachRow<R extends { id: number }>(
  db: Database,
  sql: string,
  clean: (row: R, finder: TraceFinder) => void,
  limit: number = textsPerStep,
): ErasurePart {
  const page = db.prepare<[number, number], R>(`${sql} ORDER BY rowid LIMIT ?`);
  return (traces, lastRow) => {
    const finder = createTraceFinder(traces);
    const rows = page.all(lastRow, limit);
    for (const row of rows) clean(row, finder);
    return rows.length < limit ? null : rows.at(-1)!.id;
  };
}

/** Empties the reference to the user in `table`, some rows at a step. */
export function emptyUser(db: Database, table: string): ErasurePart {
  const rowsPerStep = 200;
  const statement = db.prepare<[number, number]>(
    `UPDATE ${table} SET user_id = NULL WHERE id IN (SELECT id FROM ${table} WHERE user_id = ? ORDER BY id LIMIT ?)`,
  );
  return ({ userId }) => (statement.run(userId, rowsPerStep).changes < rowsPerStep ? null : 0);
}

/** Empties a text column where it is a name of the person; for tables with few different names. */
export function emptyNames(db: Database, table: string, column: string): ErasurePart {
  const names = db
    .prepare<[], string>(`SELECT DISTINCT ${column} FROM ${table} WHERE ${column} IS NOT NULL`)
    .pluck();
  const empty = db.prepare<[string]>(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ?`);
  return (traces) => {
    const { isName } = createTraceFinder(traces);
    for (const name of names.all()) if (isName(name)) empty.run(name);
    return null;
  };
}
