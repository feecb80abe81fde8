import { columnName, type Fields, listFields, type ValuesOf } from '../../core/records/fields.ts';
import type { Database } from '../database.ts';

type Cell = string | number | null;
/** A row by position, which takes half the time of reading it by name. */
export type RawRow = readonly Cell[];

/**
 * The id and the declared columns of a table in queries with that alias; `computed` has the SQL of fields without a column. `read`
 * returns the record whose columns begin `at` that position of a row.
 */
export function recordColumns<D extends Fields>(
  fields: D,
  alias: string,
  computed: { readonly [N in keyof D]?: string } = {},
) {
  const list = listFields(fields);
  return {
    sql: [`${alias}.id`, ...list.map(([name]) => computed[name] ?? `${alias}.${columnName(name)}`)].join(
      ', ',
    ),
    count: list.length + 1,
    read(row: RawRow, at = 0): ValuesOf<D> & { readonly id: number } {
      const record: Record<string, unknown> = { id: row[at] };
      list.forEach(([name, { kind }], i) => {
        const cell = row[at + 1 + i]!;
        record[name] = kind === 'flag' && cell !== null ? cell === 1 : cell;
      });
      return record as ValuesOf<D> & { readonly id: number };
    },
  };
}

/** The columns of fields in an export, by the names of the columns; times have no unit there. */
export const exportColumns = <D extends Fields>(
  fields: D,
  alias: string,
  computed: { readonly [N in keyof D]?: string } = {},
): string =>
  listFields(fields)
    .map(
      ([name, { kind }]) =>
        `${computed[name] ?? `${alias}.${columnName(name)}`} AS ${columnName(kind === 'time' ? name.replace(/Ms$/, '') : name)}`,
    )
    .join(', ');

const toCell = (value: unknown): Cell => (typeof value === 'boolean' ? Number(value) : (value as Cell));

/** Adds, changes and removes the records of a table. */
export function recordTable<D extends Fields>(db: Database, table: string, fields: D) {
  const names = listFields(fields).map(([name]) => name);
  const columns = names.map(columnName);
  const insert = db
    .prepare<Cell[], number>(
      `INSERT INTO ${table} (id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)}) RETURNING id`,
    )
    .pluck();
  const remove = db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`);
  const prepareUpdate = (set: string) => db.prepare<Cell[]>(`UPDATE ${table} SET ${set} WHERE id = ?`);
  const updates = new Map<string, ReturnType<typeof prepareUpdate>>();
  return {
    /** Returns its id; a removed record gets its former one. */
    add: (values: ValuesOf<D>, id: number | null = null): number =>
      insert.get(id, ...names.map((name) => toCell(values[name])))!,
    /** Writes the given fields. */
    change(id: number, values: Partial<ValuesOf<D>>): void {
      const given = names.filter((name) => values[name] !== undefined);
      if (given.length === 0) return;
      const set = given.map((name) => `${columnName(name)} = ?`).join(', ');
      const update = updates.get(set) ?? prepareUpdate(set);
      updates.set(set, update);
      update.run(...given.map((name) => toCell(values[name])), id);
    },
    remove: (id: number): void => void remove.run(id),
  };
}
