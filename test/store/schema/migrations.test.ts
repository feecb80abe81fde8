import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import {
  migrate,
  newestVersion,
  requireCurrentSchema,
  schemaSteps,
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
