import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  askForNewSite,
  beginSite,
  LostDatabase,
  requireDatabase,
  siteHasBegun,
} from '../../src/store/site-files.ts';

let folder = '';
let database = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'site-'));
  database = join(folder, 'tapster.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function leave(name: string): void {
  mkdirSync(join(folder, 'backups'), { recursive: true });
  writeFileSync(join(folder, name), 'beer');
}

const traces = [
  'tapster.db.journal',
  'tapster.db.journal.damaged-1',
  'tapster.db.last-run',
  'tapster.db.pins.json',
  'tapster.db-wal',
  'backups/tapster-20261127T040000Z-nightly.tar.gz',
];

test.each(traces)('a missing or empty database beside %s is a lost one', (trace) => {
  leave(trace);
  expect(() => requireDatabase(database)).toThrow(/^The database file is missing, although/);
  expect(beginSite(database)).toBe(false);
  writeFileSync(database, '');
  expect(() => requireDatabase(database)).toThrow(/^The database file is empty, although/);
  writeFileSync(database, 'a database');
  requireDatabase(database);
});

test('it names the newest backup and the way to a new site', () => {
  for (const name of ['20261126T040000Z-nightly', '20261127T040000Z-nightly', '20261120T120000Z-manual'])
    leave(`backups/tapster-${name}.tar.gz`);
  expect(() => requireDatabase(database)).toThrow(
    'Stop Tapster; “tapster restore tapster-20261127T040000Z-nightly.tar.gz” restores the newest backup. “tapster new-site” starts a new bar without them instead.',
  );
});

test('without a trace a new site starts, also when the power fails before its database exists', () => {
  leave('tapster.db.lock');
  leave('tapster.db.log');
  leave('backups/notes.txt');
  leave('other.db.journal');
  requireDatabase(database);
  expect(beginSite(database)).toBe(true);
  for (const trace of ['tapster.db.journal', 'tapster.db.last-run']) leave(trace);
  requireDatabase(database);
  expect(beginSite(database)).toBe(true);
  writeFileSync(database, '');
  requireDatabase(database);

  writeFileSync(database, 'a database');
  siteHasBegun(database);
  rmSync(database);
  expect(() => requireDatabase(database)).toThrow(LostDatabase);
});

test('a new site that was asked for keeps the log of the lost one', () => {
  leave('tapster.db.journal');
  leave('tapster.db-wal');
  expect(askForNewSite(database)).toBe(true);
  requireDatabase(database);
  expect(readdirSync(folder).sort()).toEqual([
    'backups',
    'tapster.db-wal.former-1',
    'tapster.db.journal',
    'tapster.db.new-site',
  ]);
});

test('a new site is not asked for while there is a database', () => {
  writeFileSync(database, 'a database');
  expect(askForNewSite(database)).toBe(false);
  expect(existsSync(`${database}.new-site`)).toBe(false);
});

test('a folder in the place of the database is neither a database nor a lost one', () => {
  mkdirSync(database);
  requireDatabase(database);
  expect(beginSite(database)).toBe(true);
  leave('tapster.db.journal');
  requireDatabase(database);
  rmSync(database, { recursive: true });
  requireDatabase(database);
});

test('a link to a missing database finds what lies beside the link', () => {
  leave('tapster.db.journal');
  symlinkSync(join(folder, 'nowhere.db'), database);
  expect(() => requireDatabase(database)).toThrow(LostDatabase);
});
