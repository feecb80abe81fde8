import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extensions } from '../../src/extensions/all.ts';
import { clockTimes } from '../../src/store/clock-times.ts';
import type { Database } from '../../src/store/database.ts';
import { migrate, schemaStepsWith } from '../../src/store/schema/migrations.ts';
import type { ClockTimes } from '../../src/store/shared/clock-times.ts';
import { listColumns } from './schema-columns.ts';

let db: Database;

beforeEach(() => {
  db = new Sqlite(':memory:');
  migrate(db, schemaStepsWith(extensions));
});
afterEach(() => {
  db.close();
});

/** The declarations of all columns, as `table.column`. */
const declared = [clockTimes as ClockTimes, ...extensions.map(({ clockTimes: times = {} }) => times)]
  .flatMap((times) => Object.entries(times))
  .flatMap(([table, columns]) =>
    Object.entries(columns).map(([column, time]) => ({ name: `${table}.${column}`, table, time })),
  );
const timesOf = (database: Database) =>
  listColumns(database)
    .filter(({ column }) => column.endsWith('_ms'))
    .map(({ table, column }) => `${table}.${column}`);
const undeclared = () => timesOf(db).filter((name) => !declared.some((one) => one.name === name));

test('every time in the database is declared: it moves with a corrected clock, or it says why not', () => {
  expect(undeclared()).toEqual([]);
  const known = timesOf(db);
  expect(declared.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

test('a time that no subject declares is found', () => {
  db.exec('CREATE TABLE visits (id INTEGER PRIMARY KEY, left_ms INTEGER) STRICT');
  expect(undeclared()).toEqual(['visits.left_ms']);
});

test('each noted time has a name of its own, and rows with an id', () => {
  const noted = declared.flatMap(({ table, time }) => {
    const name = 'moves' in time ? time.moves : 'noted' in time ? time.noted : undefined;
    return name === undefined ? [] : [{ name, table }];
  });
  expect(new Set(noted.map(({ name }) => name)).size).toBe(noted.length);
  const withId = listColumns(db).flatMap(({ table, column }) => (column === 'id' ? [table] : []));
  expect(noted.filter(({ table }) => !withId.includes(table))).toEqual([]);
});
