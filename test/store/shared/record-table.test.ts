import { beforeEach, expect, test } from 'vitest';
import { beverageFields } from '../../../src/core/kegs/records/beverage-record.ts';
import { kegFields } from '../../../src/core/kegs/records/keg-record.ts';
import { producerFields } from '../../../src/core/kegs/records/producer-record.ts';
import {
  columnName,
  type Field,
  type Fields,
  listFields,
  type ValuesOf,
} from '../../../src/core/records/fields.ts';
import { meterFields } from '../../../src/core/taps/meter-record.ts';
import { tapFields } from '../../../src/core/taps/tap-record.ts';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { recordColumns, recordTable } from '../../../src/store/shared/record-table.ts';
import { allowedValues, refusedValues } from '../../kit/record-samples.ts';

const { servedVolumeMl: _computed, ...kegColumns } = kegFields;

/** What is measured and learned of a meter. */
const meterColumnsByHand = [
  ...[
    'curve',
    'measured_hz',
    'measured_ticks',
    'declared_ticks_per_ml',
    'u_model',
    'prior_ticks_per_ml',
    'u_prior',
  ],
  ...['evidence_after', 'chart_after', 'applied_evidence'],
];

/** A deleted tap has no number. */
const tapColumns = { ...tapFields, number: { ...tapFields.number, orNull: true } } as const;

/** Tables of declared records, and their columns that no declaration has. */
const tables: readonly (readonly [table: string, fields: Fields, others: readonly string[]])[] = [
  ['producers', producerFields, []],
  ['beverages', beverageFields, []],
  ['kegs', kegColumns, []],
  ['flow_meters', meterFields, meterColumnsByHand],
  [
    'taps',
    tapColumns,
    ['is_deleted', 'next_keg_id', 'next_beverage_id', 'thermo_sensor_id', 'rates_since_ms'],
  ],
];

let db: Database;
beforeEach(() => {
  db = openDatabase(':memory:');
  // The rows refer to nothing.
  db.pragma('foreign_keys = OFF');
});

const sqlType = ({ kind }: Field): string =>
  kind === 'number' ? 'REAL' : ['whole', 'flag', 'ref', 'time'].includes(kind) ? 'INTEGER' : 'TEXT';

const toCell = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);

/** A record at the limits of its fields. */
const sampleOf = <D extends Fields>(fields: D) =>
  Object.fromEntries(
    listFields(fields).map(([name, field]) => [name, allowedValues(field).at(-1)]),
  ) as unknown as ValuesOf<D>;

/** A row that the table takes, with one value of its own. */
function insert(table: string, fields: Fields, changed: Readonly<Record<string, unknown>>): void {
  const row = Object.fromEntries(
    listFields(fields).map(([name, field]) => [
      columnName(name),
      field.orNull ? null : toCell(allowedValues(field).at(-1)),
    ]),
  );
  const all = { ...row, ...changed };
  const names = Object.keys(all);
  db.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((one) => `@${one}`).join(', ')})`,
  ).run(all);
}

test.each(tables)('the columns of %s are those of the declaration', (table, fields, others) => {
  const columns = db.prepare<[string], { name: string; type: string; notnull: number }>(
    'SELECT name, type, "notnull" FROM pragma_table_info(?)',
  );
  const found = columns.all(table).filter(({ name }) => name !== 'id' && !others.includes(name));
  const declared = listFields(fields).map(([name, field]) => ({
    name: columnName(name),
    type: sqlType(field),
    notnull: field.orNull ? 0 : 1,
  }));
  expect(found.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
    declared.toSorted((a, b) => a.name.localeCompare(b.name)),
  );
});

test.each(tables)(
  '%s takes what the declaration allows, up to the limits and no further',
  (table, fields) => {
    for (const [name, field] of listFields(fields)) {
      const column = columnName(name);
      for (const value of allowedValues(field)) {
        if (value === '' && field.orNull) continue;
        expect(() => insert(table, fields, { [column]: toCell(value) }), `${column} ${value}`).not.toThrow();
        db.prepare(`DELETE FROM ${table}`).run();
      }
      const refused = field.kind === 'flag' ? [2] : refusedValues(field);
      for (const value of [...refused, ...(field.orNull ? [] : [null])])
        expect(() => insert(table, fields, { [column]: value }), `${column} ${value}`).toThrow(/constraint/);
    }
  },
);

test('a record is read as it was added, changed in the given fields only, and removed', () => {
  const table = recordTable(db, 'beverages', beverageFields);
  const columns = recordColumns(beverageFields, 'b');
  const read = (id: number) => {
    const row = db.prepare<[number], (string | number | null)[]>(
      `SELECT ${columns.sql} FROM beverages b WHERE id = ?`,
    );
    const found = row.raw().get(id);
    return found && columns.read(found);
  };
  const stout = sampleOf(beverageFields);
  const id = table.add(stout);
  expect(read(id)).toEqual({ id, ...stout });
  table.change(id, { ibu: null, name: 'Porter' });
  table.change(id, {});
  expect(read(id)).toEqual({ id, ...stout, ibu: null, name: 'Porter' });
  table.remove(id);
  expect(read(id)).toBeUndefined();
  expect(table.add(stout, id)).toBe(id);
  expect(table.add(stout)).toBe(id + 1);
});

test('a flag is stored as a number and read as true, false or unknown', () => {
  const table = recordTable(db, 'kegs', kegColumns);
  const columns = recordColumns(kegColumns, 'kegs');
  const id = table.add({ ...sampleOf(kegColumns), ranDry: null, inSeries: true });
  const flags = () => {
    const row = db.prepare<[], (string | number | null)[]>(`SELECT ${columns.sql} FROM kegs`).raw().get()!;
    const { ranDry, inSeries } = columns.read(row);
    return { ranDry, inSeries };
  };
  expect(flags()).toEqual({ ranDry: null, inSeries: true });
  table.change(id, { ranDry: false, inSeries: false });
  expect(flags()).toEqual({ ranDry: false, inSeries: false });
});
