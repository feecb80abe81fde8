import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { extensions } from '../../src/extensions/all.ts';
import type { Database } from '../../src/store/database.ts';
import { personData } from '../../src/store/person-data.ts';
import { migrate, schemaStepsWith } from '../../src/store/schema/migrations.ts';
import { listColumns, listReferences } from './schema-columns.ts';

let db: Database;

beforeEach(() => {
  db = new Sqlite(':memory:');
  migrate(db, schemaStepsWith(extensions));
});
afterEach(() => {
  db.close();
});

/** Names of columns that contain or point to a person. */
const words =
  /(?:^|_)(?:user|users|username|mail|email|person|seller|sender|receiver|token|address)(?:_|$)|_by$/;
/** Names of columns whose text or number may be about anything. */
const general =
  /^(?:subject|subject_id|local_id|row_id|target|payload|data|before|after|event|drink|settings|traces|presented)$/;

const mayHoldPerson = (database: Database) => [
  ...new Set([
    ...listReferences(database, 'users').map(({ table, column }) => `${table}.${column}`),
    ...listColumns(database).flatMap(({ table, column }) =>
      words.test(column) || general.test(column) ? [`${table}.${column}`] : [],
    ),
  ]),
];

const all = [...personData, ...extensions.flatMap((one) => one.personData ?? [])];
const deleted = all.flatMap(({ deletes = [] }) => deletes);
const forgotten = all.flatMap(({ forgets = [] }) => forgets);
const cleaned = all.flatMap(({ cleans = [], others = {} }) => [...cleans, ...Object.keys(others)]);
const declared = [...deleted, ...forgotten, ...cleaned];
const undeclared = () => mayHoldPerson(db).filter((name) => !declared.includes(name));

test('every column that may hold a person is declared: it is erased, or it says what it holds', () => {
  expect(undeclared()).toEqual([]);
});

test('a column of users or names that no subject declares is found', () => {
  db.exec(
    `CREATE TABLE visits (id INTEGER PRIMARY KEY, guest INTEGER REFERENCES users (id), seen_by TEXT) STRICT`,
  );
  expect(undeclared()).toEqual(['visits.guest', 'visits.seen_by']);
});

test('what is declared exists, once', () => {
  const known = listColumns(db).map(({ table, column }) => `${table}.${column}`);
  expect(declared.filter((name, i) => !known.includes(name) || declared.indexOf(name) !== i)).toEqual([]);
});

test('what is left to the deletion of the account is emptied by it, and what would go with it goes at once', () => {
  const references = listReferences(db, 'users');
  const named = (onDelete: string) =>
    references.filter((one) => one.onDelete === onDelete).map(({ table, column }) => `${table}.${column}`);
  expect(forgotten.filter((name) => !named('SET NULL').includes(name))).toEqual([]);
  expect(named('CASCADE').filter((name) => !deleted.includes(name))).toEqual(['erasures.user_id']);
});
