import type { Database } from '../database.ts';
import { groupSize } from './span-blocks.ts';

type Values = Readonly<Record<string, number | string>>;

/** Which rows of a list are wanted. */
export interface ListFilter {
  /** Wanted values by column, found through one index that has exactly these columns. */
  readonly seek?: Values;
  /** Further wanted values by column, looked at row by row: for what can only be a part of what is found. */
  readonly scan?: Values;
  /** Only ids above this one. */
  readonly aboveId?: number;
  /** Only times from here, Unix milliseconds. */
  readonly sinceMs?: number;
  /** Only times before this one, Unix milliseconds. */
  readonly untilMs?: number;
}

/** What a list is made of. */
export interface ListPlan {
  readonly table: string;
  /** Its one-letter alias in `columns` and `joins`. */
  readonly alias: string;
  /** What a row is made of, `d.*, u.username`. */
  readonly columns: string;
  /** Rows come as values in the order of the columns, without names. */
  readonly isRaw?: boolean;
  readonly joins?: string;
  /** Where time cuts the list: its column, and how many ids share a block of `spans`. */
  readonly time?: { readonly column: string; readonly blockSize: number };
  /** A column whose index leaves out the value that most rows have: `WHERE <column> <> <usual>`. */
  readonly sparse?: { readonly column: string; readonly usual: number | string };
}

/**
 * Counting rows one by one stops after so many were looked at; more of one combination nobody leafs through. Shorter
 * than a page of everything would make totals of little use, longer is felt on a Pi.
 */
export const maxCounted = 2_000;

/** Blocks of the groups `g` that may lie between two times, as `s`; ids in one group of blocks follow each other. */
export const groupsBetween = (table: string): string =>
  `g.list = '${table}' AND g.last_ms >= @sinceMs AND g.first_ms < @untilMs AND s.list = '${table}'
   AND s.block BETWEEN g.grp * ${groupSize} AND g.grp * ${groupSize} + ${groupSize - 1}`;

const maxId = Number.MAX_SAFE_INTEGER;
const endOfTimeMs = Number.MAX_SAFE_INTEGER;

/**
 * A list by descending id, cut in any combination of ways. Each combination is one statement, prepared when first
 * asked for, that follows an index down from the first id wanted and stops at the page's end.
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
    // The usual rows lie close together without it; for others SQLite must be told that the index has them.
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
      // A plus sign keeps SQLite from searching by this column.
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
    return `SELECT ${what} FROM span_groups g CROSS JOIN spans s CROSS JOIN ${table} ${alias} ${joins} WHERE ${terms}
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
    /** How many of the newest `mostCounted` rows that are found by index are wanted. */
    count({ scan = {}, ...found }: ListFilter): number {
      const columns = Object.keys(scan);
      const values = columns.map((column) => `${column} = @${column}`).join(' AND ') || '1';
      const scannedColumns = columns.map((column) => `${alias}.${column}`).join(', ') || '1';
      const filter = { ...found, scan };
      const sql = `SELECT count(*) AS n FROM (${select(scannedColumns, found)}) WHERE ${values}`;
      return (statement(sql).get({ ...parameters(filter), from: maxId, limit: maxCounted }) as { n: number })
        .n;
    },
    /** How many rows there are between two times, when nothing else cuts the list; whole blocks and groups count as one. */
    countBetween({ sinceMs = 0, untilMs = endOfTimeMs, scan = {} }: ListFilter): number {
      if (!time) throw new Error(`The list of ${table} is not cut by time.`);
      const { column, blockSize: size } = time;
      const inside = (row: 'g' | 's') => `${row}.first_ms >= @sinceMs AND ${row}.last_ms < @untilMs`;
      const values = Object.keys(scan).map((name) => ` AND +${alias}.${name} = @${name}`);
      const sql = `SELECT
        (SELECT coalesce(sum(g.items), 0) FROM span_groups g WHERE g.list = '${table}' AND ${inside('g')}) +
        (SELECT coalesce(sum(s.items), 0) FROM span_groups g CROSS JOIN spans s
           WHERE ${groupsBetween(table)} AND NOT (${inside('g')}) AND ${inside('s')}) +
        (SELECT count(*) FROM span_groups g CROSS JOIN spans s CROSS JOIN ${table} ${alias}
           WHERE ${groupsBetween(table)} AND NOT (${inside('g')})
             AND s.last_ms >= @sinceMs AND s.first_ms < @untilMs AND NOT (${inside('s')})
             AND ${alias}.id BETWEEN s.block * ${size} AND s.block * ${size} + ${size - 1}
             AND +${alias}.${column} >= @sinceMs AND +${alias}.${column} < @untilMs${values.join('')}) AS n`;
      return (statement(sql).get({ ...scan, sinceMs, untilMs }) as { n: number }).n;
    },
  };
}
