import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import {
  migrate,
  newestVersion,
  requireCurrentSchema,
  schemaSteps,
  schemaStepsWith,
  versionOf,
} from '../../../src/store/schema/migrations.ts';

/** The steps of a later program: the present ones and a migration after them. */
const laterSteps = [
  ...schemaSteps,
  { sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT', compatibleFrom: newestVersion + 1 },
];
/** The same, marked as usable by the present program. */
const compatibleSteps = laterSteps.map((step) => ({ ...step, compatibleFrom: 1 }));
let db: Database;

beforeEach(() => {
  db = new Sqlite(':memory:');
});
afterEach(() => {
  db.close();
});

const hasTable = (name: string) =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

test('a new database takes all steps', () => {
  migrate(db, laterSteps);
  expect(versionOf(db)).toBe(newestVersion + 1);
  expect([hasTable('drinks'), hasTable('later')]).toEqual([true, true]);
});

test('an existing database takes only the steps it lacks and keeps its data', () => {
  migrate(db);
  db.exec("INSERT INTO taps (name, notes, sort_order) VALUES ('Left', '', 0)");
  migrate(db, laterSteps);
  migrate(db, laterSteps);
  expect(versionOf(db)).toBe(newestVersion + 1);
  expect(hasTable('later')).toBe(true);
  expect(db.prepare('SELECT name FROM taps').pluck().all()).toEqual(['Left']);
});

test('a step that fails leaves the database at the version before', () => {
  expect(() =>
    migrate(db, [
      ...laterSteps,
      { sql: 'CREATE TABLE half (id INTEGER); CREATE TABLE later (id)', compatibleFrom: 1 },
    ]),
  ).toThrow();
  expect(versionOf(db)).toBe(newestVersion + 1);
  expect(hasTable('half')).toBe(false);
});

const later = newestVersion + 1;
/** The tables of an extension, as they were in the present version and are in the later one. */
const growing = {
  name: 'growing',
  schema: 'CREATE TABLE plants (id INTEGER PRIMARY KEY) STRICT;',
  migrations: { [later]: "ALTER TABLE plants ADD COLUMN name TEXT NOT NULL DEFAULT 'basil';" },
};
const plants = () => db.prepare('SELECT * FROM plants').all();

test('a new database has the tables of extensions with all that later versions changed in them', () => {
  migrate(db, schemaStepsWith([growing], [...schemaSteps, { sql: '', compatibleFrom: 1 }]));
  db.exec('INSERT INTO plants (id) VALUES (1)');
  expect([versionOf(db), plants()]).toEqual([later, [{ id: 1, name: 'basil' }]]);
});

test('a step of the base and its part of an extension are one step, which keeps the rows', () => {
  migrate(db, schemaStepsWith([{ ...growing, migrations: {} }]));
  db.exec('INSERT INTO plants (id) VALUES (1)');
  const together = { sql: 'CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;', compatibleFrom: 1 };
  migrate(db, schemaStepsWith([growing], [...schemaSteps, together]));
  expect([versionOf(db), plants(), hasTable('later')]).toEqual([later, [{ id: 1, name: 'basil' }], true]);
});

test.each([1, 0, later + 1])(
  'a migration of an extension to version %i, which is no step of the base, is refused',
  (version) => {
    const steps = [...schemaSteps, { sql: '', compatibleFrom: 1 }];
    expect(() => schemaStepsWith([{ ...growing, migrations: { [version]: '' } }], steps)).toThrow(/no step/);
  },
);

test('a reader rejects a database that lacks a step and does not change it', () => {
  migrate(db);
  requireCurrentSchema(db);
  expect(() => requireCurrentSchema(db, laterSteps)).toThrow(/older Tapster/);
  expect(versionOf(db)).toBe(newestVersion);
  expect(hasTable('later')).toBe(false);
});

test('a program rejects a database that has taken a step it does not know', () => {
  migrate(db, laterSteps);
  expect(() => migrate(db)).toThrow(/newer Tapster/);
  expect(() => requireCurrentSchema(db)).toThrow(/newer Tapster/);
});

test('a program uses a newer database whose last step is marked as compatible with it, and leaves it as it is', () => {
  migrate(db, compatibleSteps);
  migrate(db);
  requireCurrentSchema(db);
  db.exec("INSERT INTO taps (name, notes, sort_order) VALUES ('Left', '', 0)");
  migrate(db, compatibleSteps);
  expect(versionOf(db)).toBe(newestVersion + 1);
  expect(hasTable('later')).toBe(true);
});

test('the newest step decides about compatibility', () => {
  migrate(db, [...compatibleSteps, { sql: 'DROP TABLE later', compatibleFrom: newestVersion + 1 }]);
  expect(() => migrate(db)).toThrow(/newer Tapster/);
  expect(() => migrate(db, compatibleSteps)).not.toThrow();
});

test('a database of another program with a high version is called that, not a newer Tapster', () => {
  db.exec('CREATE TABLE other (id INTEGER)');
  db.pragma('user_version = 99');
  expect(() => migrate(db)).toThrow(/another program/);
});
