import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databaseFindings } from '../../src/cli/doctor/database.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openStore } from '../../src/store/store.ts';

function createDatabase(version: number | null) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-doctor-'));
  const database = join(folder, 'tapster.db');
  openStore({ file: database }).close();
  if (version !== null) {
    const db = new Sqlite(database);
    db.pragma(`user_version = ${version}`);
    db.pragma('journal_mode = DELETE');
    db.close();
  }
  return { folder, database, loaded: loadConfig({ env: { TAPSTER_DATABASE: database }, cwd: folder }) };
}

test('the doctor reports that an older database will be upgraded and does not change it', async () => {
  const { folder, database, loaded } = createDatabase(4);
  const before = readFileSync(database);
  const findings = await databaseFindings(loaded);
  expect(findings.map(({ verdict }) => verdict)).toEqual(['ok', 'warn']);
  expect(findings[1]!.text).toContain('schema version 4');
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['tapster.db']);
});

test('a current database is checked completely, and one of a newer Tapster is reported', async () => {
  const { database, loaded } = createDatabase(null);
  const before = readFileSync(database);
  expect((await databaseFindings(loaded)).map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  expect(readFileSync(database).equals(before)).toBe(true);
  const [tomorrow] = await databaseFindings(createDatabase(9_999).loaded);
  expect([tomorrow!.verdict, tomorrow!.text]).toEqual(['fail', expect.stringContaining('newer Tapster')]);
});
