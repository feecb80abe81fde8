import { AppError } from '../../../../../core/app-error.ts';

/** A value of a row; numbers of a dump may also be texts. */
export type TableValue = string | number | boolean | null;

/** One row of a table of the other server's database. */
export interface TableRow {
  readonly table: string;
  readonly values: Readonly<Record<string, TableValue>>;
}

/** A file with the tables of a Kegbot's database. */
export interface TableSource {
  /** Reads the rows of these tables in the order of the file, in parts. Throws `invalid_request` for a damaged file. */
  rows(tables: ReadonlySet<string>): AsyncIterable<readonly TableRow[]>;
  /** Names of all tables that were there, once the rows have been read. */
  readonly tables: ReadonlySet<string>;
  /** What people should know about how the file was read. */
  readonly notes: ReadonlySet<string>;
}

/** Most names of tables that are remembered; a Kegbot has about 30. */
const maxTables = 2_000;

export function rememberTable(tables: Set<string>, name: string): void {
  if (tables.size < maxTables) tables.add(name);
}

export const invalidBackup = (name: string, what: string): AppError =>
  new AppError('invalid_request', `The file ${name} ${what}.`);
