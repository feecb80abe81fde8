import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { prepareLazily } from '../../src/store/lazy-statements.ts';

function openBeers() {
  const db = prepareLazily(new Sqlite(':memory:'));
  onTestFinished(() => void db.close());
  return db;
}

test('a statement is compiled when it is first used, so that its table may be created after it', () => {
  const db = openBeers();
  const add = db.prepare<[string]>('INSERT INTO beers (name) VALUES (?)');
  const names = db.prepare<[], { name: string }>('SELECT name FROM beers ORDER BY name');
  expect(() => names.all()).toThrow('no such table');
  db.exec('CREATE TABLE beers (id INTEGER PRIMARY KEY, name TEXT)');
  expect(add.run('Pils')).toEqual({ changes: 1, lastInsertRowid: 1 });
  expect(names.all()).toEqual([{ name: 'Pils' }]);
  expect([...names.iterate()]).toEqual([{ name: 'Pils' }]);
  expect(names.columns().map(({ name }) => name)).toEqual(['name']);
});

test('rows are objects, arrays or their first column, also when that changes after the first use', () => {
  const rows = openBeers().prepare<[], unknown>("SELECT 1 AS id, 'Pils' AS name");
  const object = { id: 1, name: 'Pils' };
  expect(rows.get()).toEqual(object);
  expect(rows.pluck().get()).toBe(1);
  expect(rows.raw().get()).toEqual([1, 'Pils']);
  expect(rows.raw(false).get()).toEqual(object);
  expect(rows.pluck().all()).toEqual([1]);
});

test('statements in a transaction are rolled back with it', () => {
  const db = openBeers();
  db.exec('CREATE TABLE beers (name TEXT)');
  const add = db.prepare('INSERT INTO beers VALUES (?)');
  const count = db.prepare<[], number>('SELECT count(*) FROM beers').pluck();
  const fail = db.transaction(() => {
    add.run('Pils');
    throw new Error(`after ${count.get()}`);
  });
  expect(() => fail.immediate()).toThrow('after 1');
  expect(count.get()).toBe(0);
});
