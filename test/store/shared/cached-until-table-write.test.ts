import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { cachedUntilTableWrite } from '../../../src/store/shared/cached-until-table-write.ts';

let folder: string;
let db: Database;
let readings: number;
let title: () => string;

const site = [{ table: 'site', except: ['newest_synced_ms'] }];
const rename = (name: string, on = db) => on.prepare('UPDATE site SET title = ?').run(name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-cache-'));
  db = openDatabase(join(folder, 'tapster.db'));
  readings = 0;
  title = cachedUntilTableWrite(db)(site, () => {
    readings += 1;
    return String(db.prepare('SELECT title FROM site').pluck().get());
  });
  rename('Anna’s bar');
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

test('a value is read once while other tables and excepted columns are written', () => {
  expect([title(), title()]).toEqual(['Anna’s bar', 'Anna’s bar']);
  db.prepare(`INSERT INTO producers (name, country) VALUES ('Orval', 'BEL')`).run();
  db.prepare('UPDATE site SET newest_synced_ms = 5').run();
  expect(title()).toBe('Anna’s bar');
  expect(readings).toBe(1);
});

test('a write of this or another connection invalidates the cached value', () => {
  title();
  rename('The Crown');
  expect(title()).toBe('The Crown');
  const other = new Sqlite(join(folder, 'tapster.db'));
  rename('The Anchor', other);
  other.close();
  expect(title()).toBe('The Anchor');
});

test('a transaction reads its own uncommitted write, and after a rollback the old value is read again', () => {
  title();
  const fail = db.transaction(() => {
    rename('The Crown');
    expect(title()).toBe('The Crown');
    throw new Error('rolled back');
  });
  expect(fail).toThrow('rolled back');
  expect(title()).toBe('Anna’s bar');
  db.transaction(() => expect(title()).toBe('Anna’s bar'))();
  expect(readings).toBe(3);
});

test('a value read in a transaction without writes is cached', () => {
  title();
  const before = readings;
  db.transaction(() => title())();
  db.transaction(() => title())();
  expect(readings).toBe(before);
});

test('two caches of one table may except different columns', () => {
  let stampReadings = 0;
  const newestSynced = cachedUntilTableWrite(db)([{ table: 'site' }], () => {
    stampReadings += 1;
    return db.prepare('SELECT newest_synced_ms FROM site').pluck().get();
  });
  title();
  newestSynced();
  const before = readings;
  db.prepare('UPDATE site SET newest_synced_ms = 7').run();
  expect(newestSynced()).toBe(7);
  expect(title()).toBe('Anna’s bar');
  expect([stampReadings, readings - before]).toEqual([2, 0]);
});
