import type { Database } from '../database.ts';
import type { DrinkColumn } from '../shared/drink-columns.ts';
import type { RestoredRows, RestoredTable } from '../shared/restored-rows.ts';
import type { DrinkTotalsTable } from './drink-totals-table.ts';

/** A database row by column. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Tables whose rows an undo may restore, and their key columns. */
const keys = {
  drinks: 'id',
  events: 'id',
  sessions: 'id',
  kegs: 'id',
  spills: 'id',
  pictures: 'id',
  cancelled_pours: 'pour_id',
  flow_meters: 'id',
  flow_toggles: 'id',
  controllers: 'id',
  thermo_sensors: 'id',
  producers: 'id',
  beverages: 'id',
  serving_sizes: 'id',
  serving_size_state: 'id',
  price_schedules: 'id',
  schedule_prices: 'id',
  price_lists: 'id',
  prices: 'id',
  keg_former_beverages: 'id',
  keg_weighings: 'id',
  meter_evidence: 'id',
  taps: 'id',
} as const;

export type RowTable = keyof typeof keys;

/** The same, or a table of an extension. */
type AnyTable = RowTable | RestoredTable;

const keyOf = (table: AnyTable): string => (keys as Readonly<Record<string, string>>)[table] ?? 'id';

/** Tables of hardware. */
export type DeviceTable = 'controllers' | 'flow_meters' | 'flow_toggles' | 'thermo_sensors';
/** Columns by which the rows of a record are found. */
type ReferenceColumn =
  | 'keg_id'
  | 'beverage_id'
  | 'producer_id'
  | 'site_id'
  | 'site_logo_id'
  | 'list_id'
  | 'serving_size_id'
  | 'next_keg_id'
  | 'next_beverage_id';

/** A session's span is written by `sessions`, which moves its drinks to another day. */
type ChangedTable = Exclude<AnyTable, 'sessions'>;

/**
 * Reads and writes whole rows, to undo corrections. Columns that a table got after the row was stored take
 * their default; columns that it lost are ignored. `restored` are the tables of all extensions.
 */
export function rowsTable(
  db: Database,
  totals: DrinkTotalsTable,
  restored: readonly RestoredRows[] = [],
  drinkColumns: readonly DrinkColumn[] = [],
) {
  const prepared = new Map<string, ReturnType<Database['prepare']>>();
  const statement = (sql: string) => {
    const existing = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, existing);
    return existing;
  };
  const read = (table: AnyTable): string => {
    const added = (table === 'drinks' ? drinkColumns : []).map(
      (one) => `, (SELECT ${one.column} FROM ${one.table} WHERE ${one.key} = drinks.id) AS ${one.column}`,
    );
    return `SELECT *${added.join('')} FROM ${table}`;
  };
  const writeDrinkColumns = (table: AnyTable, id: string | number, row: Row): void => {
    for (const { table: of, key, column } of table === 'drinks' ? drinkColumns : []) {
      const value = row[column];
      if (value === undefined) continue;
      statement(`DELETE FROM ${of} WHERE ${key} = ?`).run(id);
      if (value !== null) statement(`INSERT INTO ${of} (${key}, ${column}) VALUES (?, ?)`).run(id, value);
    }
  };
  const write = (table: AnyTable, key: string | number, run: () => unknown): void => {
    if (table === 'drinks') totals.writing(Number(key), run);
    else run();
  };
  const columnNames = db.prepare<[string], string>('SELECT name FROM pragma_table_info(?)').pluck();
  const columnsByTable = new Map<AnyTable, ReadonlySet<string>>();
  // Only names of existing columns may become part of a statement.
  const knownColumns = (table: AnyTable, row: Row): string[] => {
    const columns = columnsByTable.get(table) ?? new Set(columnNames.all(table));
    columnsByTable.set(table, columns);
    return Object.keys(row).filter((name) => columns.has(name));
  };
  return {
    /** The key column of the table. */
    keyColumn: (table: RowTable): string => keys[table],
    byKey: (table: AnyTable, key: string | number): Row | null =>
      (statement(`${read(table)} WHERE ${keyOf(table)} = ?`).get(key) as Row | undefined) ?? null,
    /** All rows, by ascending key; for small tables. */
    all: (table: AnyTable): readonly Row[] =>
      statement(`${read(table)} ORDER BY ${keyOf(table)}`).all() as Row[],
    /** Events or pictures of a drink, in the order they were written. */
    byDrink: (table: 'events' | 'pictures', drinkId: number): readonly Row[] =>
      statement(`SELECT * FROM ${table} WHERE drink_id = ? ORDER BY id`).all(drinkId) as Row[],
    /** Rows that refer to a record, by ascending key. */
    byReference: (table: RowTable, column: ReferenceColumn, id: number): readonly Row[] =>
      statement(`${read(table)} WHERE ${column} = ? ORDER BY ${keys[table]}`).all(id) as Row[],
    /** The tables of extensions, in the order in which their rows are restored. */
    restored,
    /** Rows of an extension that refer to a record by this column, by ascending key. */
    ofExtension: (table: RestoredTable, column: string, id: number): readonly Row[] =>
      statement(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY id`).all(id) as Row[],
    insert(table: AnyTable, row: Row): void {
      const names = knownColumns(table, row);
      const insert = statement(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`,
      );
      write(table, row[keyOf(table)]!, () => insert.run(row));
      writeDrinkColumns(table, row[keyOf(table)]!, row);
    },
    /** Writes the given columns except the key. */
    update(table: ChangedTable, key: string | number, row: Row): void {
      const names = knownColumns(table, row).filter((name) => name !== keyOf(table));
      writeDrinkColumns(table, key, row);
      if (names.length === 0) return;
      const set = names.map((name) => `${name} = @${name}`).join(', ');
      const update = statement(`UPDATE ${table} SET ${set} WHERE ${keyOf(table)} = @key`);
      write(table, key, () => update.run({ ...row, key }));
    },
    remove: (table: ChangedTable, key: string | number): void =>
      write(table, key, () => statement(`DELETE FROM ${table} WHERE ${keyOf(table)} = ?`).run(key)),
  };
}
