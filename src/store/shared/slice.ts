import type { Database } from '../database.ts';

/** Place of a row in a list: by its id, or by its time and id where the list is in the order of time. */
export interface RowPosition {
  readonly id: number;
  /** Unix milliseconds. */
  readonly timeMs?: number;
}

/** The rows of one page. Lists begin with the highest id, or with the latest time. */
export interface Slice {
  /** The first row to read; without such a row, reading begins at the next one. */
  readonly from: RowPosition;
  /** True reads the rows from there up to the beginning of the list, false those down to its end. */
  readonly upwards: boolean;
  readonly limit: number;
}

/** Largest number that SQLite and JavaScript both store exactly: above every id and time. */
export const maxInteger = Number.MAX_SAFE_INTEGER;

/** The first rows of a list in the order of time. */
export const latestRows = (limit: number): Slice => ({
  from: { id: maxInteger, timeMs: maxInteger },
  upwards: false,
  limit,
});

/** The first rows of a list by id. */
export const newestRows = (limit: number): Slice => ({ from: { id: maxInteger }, upwards: false, limit });

type Values = Readonly<Record<string, number | string | null>>;

/** A list by descending id. */
interface IdList {
  /** `SELECT … FROM …` */
  readonly select: string;
  /** Default: all rows. */
  readonly where?: string;
  /** The column of the id, default `id`. */
  readonly id?: string;
  /** Rows are arrays in the order of the columns. */
  readonly isRaw?: boolean;
}

/** Prepares the reading of a list in pages. The rows come in the order of the list, whatever the direction. */
export function preparePages<Row>(db: Database, { select, where = '1', id = 'id', isRaw = false }: IdList) {
  const prepare = (comparison: string, order: string) =>
    db
      .prepare<[Values], Row>(
        `${select} WHERE ${id} ${comparison} @from AND ${where} ORDER BY ${id} ${order} LIMIT @limit`,
      )
      .raw(isRaw);
  const down = prepare('<=', 'DESC');
  const up = prepare('>=', 'ASC');
  return ({ from, upwards, limit }: Slice, values: Values = {}): readonly Row[] => {
    const parameters = { ...values, from: from.id, limit };
    return upwards ? up.all(parameters).reverse() : down.all(parameters);
  };
}
