import type { Database } from '../database.ts';
import { maxInteger, newestRows, type Slice } from './slice.ts';

/** Null matches rows without a value. */
type Values = Readonly<Record<string, number | string | null>>;
type ColumnValue = readonly [column: string, value: number | string | null];

/** The rows between two times. */
export interface TimeRows {
  /** Unix milliseconds. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  /** Ids follow time except for late deliveries and corrected clocks: rows of other times may lie between these two. */
  readonly firstId: number;
  readonly lastId: number;
  /** Counted up to `maxCountedByTime`; with more rows, the ids are not limited. */
  readonly total: number;
}

/** Filter for the rows of a list. */
export interface ListFilter {
  /** Values by column, found through one index that begins with exactly these columns. */
  readonly seek?: Values;
  /** Further values by column, compared row by row in what the index finds. */
  readonly scan?: Readonly<Record<string, number | string | null>>;
  /** Only ids above this one. */
  readonly aboveId?: number;
  /** Only rows between two times, as found by `between`. */
  readonly time?: TimeRows;
}

/** Description of a list. */
interface ListPlan {
  readonly table: string;
  /** One-letter alias of the table in `columns` and `joins`. */
  readonly alias: string;
  /** Columns of a row, `d.*, u.username`. */
  readonly columns: string;
  /** Rows are arrays in the order of the columns. */
  readonly isRaw?: boolean;
  readonly joins?: string;
  /** The column for filters by time and the order of time; it has an index. */
  readonly time?: string;
  /** A column beside the time in its index. */
  readonly besideTime?: string;
  /** The columns before the time in its other indexes, such as `tap_id,is_valid`. */
  readonly beforeTime?: readonly string[];
  /** Columns whose value is not compared with that of the row alone. */
  readonly conditions?: Readonly<Record<string, { readonly seek: string; readonly scan: string }>>;
  /** A column with a partial index without the value of most rows: `WHERE <column> <> <usual>`. */
  readonly sparse?: {
    readonly column: string;
    readonly usual: number | string;
    /** A flag that is 0 in all rows of that index; other rows are not listed. */
    readonly without?: string;
  };
}

/**
 * Counting row by row stops after this many rows, since nobody pages further through one combination of
 * filters. Fewer would make totals useless; more takes noticeable time on a Pi.
 */
const maxCounted = 2_000;

/** Counting by the index of the time stops after this many rows: more than a year of drinks, some milliseconds. */
const maxCountedByTime = 150_000;

/**
 * A list by descending id, or by descending time and id, with any combination of filters. Each combination is one statement, prepared at
 * first use, which walks an index from the first id and stops at the end of the page.
 */
export function pagedList<Row>(db: Database, plan: ListPlan) {
  const { table, alias, columns, isRaw = false, joins = '', time, sparse } = plan;
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const statement = (sql: string) => {
    const existing = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, existing);
    return existing;
  };

  const usualText = typeof sparse?.usual === 'string' ? `'${sparse.usual}'` : sparse?.usual;
  const seekCondition = ([column, value]: ColumnValue): string => {
    const condition = plan.conditions?.[column]?.seek ?? equals(`${alias}.${column}`, [column, value]);
    if (sparse?.column !== column || value === sparse.usual) return condition;
    // Lets SQLite use the partial index; the usual value needs none.
    const without = sparse.without === undefined ? '' : ` AND ${alias}.${sparse.without} = 0`;
    return `${condition} AND ${alias}.${column} <> ${usualText}${without}`;
  };
  // The unary plus keeps SQLite from using the column's index.
  const scanCondition = ([column, value]: ColumnValue) =>
    plan.conditions?.[column]?.scan ?? equals(`+${alias}.${column}`, [column, value]);
  const timeCondition = (name: string) => `${name} >= @sinceMs AND ${name} < @untilMs`;

  const select = (
    what: string,
    { seek = {}, scan = {}, time: rows }: ListFilter,
    { upwards }: Slice,
  ): string => {
    const terms = [
      `${alias}.id BETWEEN @first AND @last`,
      ...Object.entries(seek).map(seekCondition),
      ...Object.entries(scan).map(scanCondition),
      ...(rows && time ? [timeCondition(`+${alias}.${time}`)] : []),
    ].join(' AND ');
    return `SELECT ${what} FROM ${table} ${alias} ${joins} WHERE ${terms}
      ORDER BY ${alias}.id ${upwards ? 'ASC' : 'DESC'} LIMIT @limit`;
  };
  /**
   * In the order of time. Without filters, and with those before the time in an index, that index is walked. Other filters
   * find few rows: their ids are sorted, and only the rows of the page are read.
   */
  const selectByTime = ({ seek = {}, scan = {} }: ListFilter, { upwards }: Slice): string => {
    const isUnfiltered = Object.entries(seek).every(
      ([column, value]) => column === sparse?.column && value === sparse.usual,
    );
    const isWalked = isUnfiltered || plan.beforeTime?.includes(Object.keys(seek).join());
    const timeOf = `${isWalked ? '' : '+'}${alias}.${time}`;
    const [comparison, direction] = upwards ? ['>=', 'ASC'] : ['<=', 'DESC'];
    const orderBy = (columns: readonly string[]) =>
      `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
    const terms = [
      `${timeOf} BETWEEN @firstMs AND @lastMs`,
      `(+${alias}.${time}, +${alias}.id) ${comparison} (@timeMs, @id)`,
      `+${alias}.id > @aboveId`,
      ...Object.entries(seek).map(isUnfiltered ? scanCondition : seekCondition),
      ...Object.entries(scan).map(scanCondition),
    ].join(' AND ');
    const besideTime = plan.besideTime === undefined ? [] : [`${alias}.${plan.besideTime}`];
    const limited = `WHERE ${terms} ${orderBy([timeOf, ...besideTime, `${alias}.id`])} LIMIT @limit`;
    if (isWalked) return `SELECT ${columns} FROM ${table} ${alias} ${joins} ${limited}`;
    return `SELECT ${columns} FROM (SELECT ${alias}.id FROM ${table} ${alias} ${limited}) p
      CROSS JOIN ${table} ${alias} ON ${alias}.id = p.id ${joins} ${orderBy([`${alias}.${time}`, `${alias}.id`])}`;
  };
  const timeParameters = (
    { seek, scan, aboveId = 0, time: rows }: ListFilter,
    { from: { id, timeMs = 0 }, upwards, limit }: Slice,
  ) => ({
    ...seek,
    ...scan,
    id,
    timeMs,
    aboveId,
    firstMs: Math.max(upwards ? timeMs : 0, rows?.sinceMs ?? 0),
    lastMs: Math.min(upwards ? maxInteger : timeMs, (rows?.untilMs ?? maxInteger) - 1),
    limit,
  });
  const parameters = (
    { seek, scan, aboveId = 0, time: rows }: ListFilter,
    { from: { id }, upwards, limit }: Slice,
  ) => ({
    ...seek,
    ...scan,
    ...(rows && { sinceMs: rows.sinceMs, untilMs: rows.untilMs }),
    first: Math.max(upwards ? id : 0, aboveId + 1, rows?.firstId ?? 0),
    last: Math.min(upwards ? maxInteger : id, rows?.lastId ?? maxInteger),
    limit,
  });

  return {
    /** Newest first, whatever the direction of the slice. */
    page(filter: ListFilter, slice: Slice): readonly Row[] {
      const isByTime = slice.from.timeMs !== undefined;
      const rows = statement(isByTime ? selectByTime(filter, slice) : select(columns, filter, slice))
        .raw(isRaw)
        .all(isByTime ? timeParameters(filter, slice) : parameters(filter, slice)) as Row[];
      return slice.upwards ? rows.reverse() : rows;
    },
    /** Number of matching rows among the newest `maxCounted` rows that the index finds. */
    count({ scan = {}, ...found }: ListFilter): number {
      const pairs: ColumnValue[] = Object.entries(scan);
      const scanned = pairs.map((pair, i) => `${scanCondition(pair)} AS matches${i}`).join(', ') || '1';
      const values = pairs.map((_, i) => `matches${i}`).join(' AND ') || '1';
      const newest = newestRows(maxCounted);
      const sql = `SELECT count(*) FROM (${select(scanned, found, newest)}) WHERE ${values}`;
      return statement(sql)
        .pluck()
        .get(parameters({ ...found, scan }, newest)) as number;
    },
    /** Number of rows with these values, counted by an index that begins with their columns. */
    countBy(values: Values): number {
      const terms = ['1', ...Object.entries(values).map(seekCondition)].join(' AND ');
      return statement(`SELECT count(*) FROM ${table} ${alias} WHERE ${terms}`).pluck().get(values) as number;
    },
    /** The rows between two times with these values, which an index of the time contains. */
    between(span: { sinceMs?: number; untilMs?: number }, values: Values = {}): TimeRows {
      if (!time) throw new Error(`The list of ${table} cannot be filtered by time.`);
      const times = { sinceMs: span.sinceMs ?? 0, untilMs: span.untilMs ?? maxInteger };
      const terms = [timeCondition(time), ...Object.keys(values).map((name) => `${name} = @${name}`)];
      const rows = `FROM ${table} WHERE ${terms.join(' AND ')}`;
      const given = { ...values, ...times };
      const total = statement(`SELECT count(*) FROM (SELECT 1 ${rows} LIMIT ${maxCountedByTime})`)
        .pluck()
        .get(given) as number;
      if (total === 0) return { ...times, firstId: 1, lastId: 0, total };
      if (total === maxCountedByTime) return { ...times, firstId: 1, lastId: maxInteger, total };
      const ids = statement(`SELECT min(id) AS firstId, max(id) AS lastId ${rows}`).get(given);
      return { ...times, ...(ids as Pick<TimeRows, 'firstId' | 'lastId'>), total };
    },
  };
}

/** Compares an expression with the parameter of that column. */
const equals = (expression: string, [column, value]: ColumnValue): string =>
  value === null ? `${expression} IS NULL` : `${expression} = @${column}`;
