import type { Database } from '../database.ts';
import { groupSize } from './span-blocks.ts';

type Values = Readonly<Record<string, number | string>>;

/** Filter for the rows of a list. */
export interface ListFilter {
  /** Values by column, found through one index that has exactly these columns. */
  readonly seek?: Values;
  /** Further values by column, compared row by row in what the index finds. */
  readonly scan?: Values;
  /** Only ids above this one. */
  readonly aboveId?: number;
  /** Only times from here, Unix milliseconds. */
  readonly sinceMs?: number;
  /** Only times before this one, Unix milliseconds. */
  readonly untilMs?: number;
}

/** Description of a list. */
export interface ListPlan {
  readonly table: string;
  /** One-letter alias of the table in `columns` and `joins`. */
  readonly alias: string;
  /** Columns of a row, `d.*, u.username`. */
  readonly columns: string;
  /** Rows are arrays in the order of the columns. */
  readonly isRaw?: boolean;
  readonly joins?: string;
  /** For filters by time: the column, and the number of ids in a block of `span_blocks`. */
  readonly time?: { readonly column: string; readonly blockSize: number };
  /** A column with a partial index without the value of most rows: `WHERE <column> <> <usual>`. */
  readonly sparse?: { readonly column: string; readonly usual: number | string };
}

/**
 * Counting row by row stops after this many rows, since nobody pages further through one combination of
 * filters. Fewer would make totals useless; more takes noticeable time on a Pi.
 */
export const maxCounted = 2_000;

/**
 * SQL condition for groups `g` and their blocks `s` that overlap a time span; the ids of a group are
 * contiguous.
 */
export const groupsBetween = (table: string): string =>
  `g.list = '${table}' AND g.last_ms >= @sinceMs AND g.first_ms < @untilMs AND s.list = '${table}'
   AND s.block BETWEEN g.grp * ${groupSize} AND g.grp * ${groupSize} + ${groupSize - 1}`;

const maxId = Number.MAX_SAFE_INTEGER;
const endOfTimeMs = Number.MAX_SAFE_INTEGER;

/**
 * A list by descending id with any combination of filters. Each combination is one statement, prepared at
 * first use, which walks an index down from the first id and stops at the end of the page.
 */
export function pagedList<Row>(db: Database, plan: ListPlan) {
  const { table, alias, columns, isRaw = false, joins = '', time, sparse } = plan;
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const statement = (sql: string) => {
    const existing = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, existing);
    return existing;
  };

  const seekCondition = (column: string, value: number | string): string => {
    const name = `${alias}.${column}`;
    if (sparse?.column !== column) return `${name} = @${column}`;
    // The usual value needs no index; for others the added condition lets SQLite use the partial index.
    return value === sparse.usual
      ? `${name} = @${column}`
      : `${name} = @${column} AND ${name} <> ${usualText}`;
  };
  const usualText = typeof sparse?.usual === 'string' ? `'${sparse.usual}'` : sparse?.usual;

  const select = (what: string, filter: ListFilter): string => {
    const isTimeBounded = filter.sinceMs !== undefined || filter.untilMs !== undefined;
    const id = `${alias}.id`;
    const values = [
      ...Object.entries(filter.seek ?? {}).map(([column, value]) => seekCondition(column, value)),
      // The unary plus keeps SQLite from using this column's index.
      ...Object.keys(filter.scan ?? {}).map((column) => `+${alias}.${column} = @${column}`),
    ];
    const above = filter.aboveId === undefined ? [] : [`${id} > @aboveId`];
    if (!isTimeBounded || !time) {
      const terms = [`${id} <= @from`, ...above, ...values].join(' AND ');
      return `SELECT ${what} FROM ${table} ${alias} ${joins} WHERE ${terms} ORDER BY ${id} DESC LIMIT @limit`;
    }
    const { column, blockSize: size } = time;
    const terms = [
      `${groupsBetween(table)} AND g.grp <= @from / ${size * groupSize}`,
      `s.block <= @from / ${size} AND s.last_ms >= @sinceMs AND s.first_ms < @untilMs`,
      `${id} BETWEEN s.block * ${size} AND min(@from, s.block * ${size} + ${size - 1})`,
      `+${alias}.${column} >= @sinceMs AND +${alias}.${column} < @untilMs`,
      ...above,
      ...values,
    ].join(' AND ');
    return `SELECT ${what} FROM span_groups g CROSS JOIN span_blocks s CROSS JOIN ${table} ${alias} ${joins} WHERE ${terms}
      ORDER BY g.grp DESC, s.block DESC, ${id} DESC LIMIT @limit`;
  };
  const parameters = ({ seek, scan, aboveId, sinceMs = 0, untilMs = endOfTimeMs }: ListFilter) => ({
    ...seek,
    ...scan,
    ...(aboveId === undefined ? {} : { aboveId }),
    sinceMs,
    untilMs,
  });

  return {
    /** Newest first, from id `from` downwards. */
    page: (filter: ListFilter, from: number, limit: number): readonly Row[] =>
      statement(select(columns, filter))
        .raw(isRaw)
        .all({ ...parameters(filter), from, limit }) as Row[],
    /** Number of matching rows among the newest `maxCounted` rows that the index finds. */
    count({ scan = {}, ...found }: ListFilter): number {
      const columns = Object.keys(scan);
      const values = columns.map((column) => `${column} = @${column}`).join(' AND ') || '1';
      const scannedColumns = columns.map((column) => `${alias}.${column}`).join(', ') || '1';
      const filter = { ...found, scan };
      const sql = `SELECT count(*) AS n FROM (${select(scannedColumns, found)}) WHERE ${values}`;
      return (statement(sql).get({ ...parameters(filter), from: maxId, limit: maxCounted }) as { n: number })
        .n;
    },
    /** Number of rows between two times; uses the stored counts of whole blocks and groups. */
    countBetween({ sinceMs = 0, untilMs = endOfTimeMs, scan = {} }: ListFilter): number {
      if (!time) throw new Error(`The list of ${table} cannot be filtered by time.`);
      const { column, blockSize: size } = time;
      const inside = (row: 'g' | 's') => `${row}.first_ms >= @sinceMs AND ${row}.last_ms < @untilMs`;
      const values = Object.keys(scan).map((name) => ` AND +${alias}.${name} = @${name}`);
      const sql = `SELECT
        (SELECT coalesce(sum(g.items), 0) FROM span_groups g WHERE g.list = '${table}' AND ${inside('g')}) +
        (SELECT coalesce(sum(s.items), 0) FROM span_groups g CROSS JOIN span_blocks s
           WHERE ${groupsBetween(table)} AND NOT (${inside('g')}) AND ${inside('s')}) +
        (SELECT count(*) FROM span_groups g CROSS JOIN span_blocks s CROSS JOIN ${table} ${alias}
           WHERE ${groupsBetween(table)} AND NOT (${inside('g')})
             AND s.last_ms >= @sinceMs AND s.first_ms < @untilMs AND NOT (${inside('s')})
             AND ${alias}.id BETWEEN s.block * ${size} AND s.block * ${size} + ${size - 1}
             AND +${alias}.${column} >= @sinceMs AND +${alias}.${column} < @untilMs${values.join('')}) AS n`;
      return (statement(sql).get({ ...scan, sinceMs, untilMs }) as { n: number }).n;
    },
  };
}
