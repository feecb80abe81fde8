import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databaseFindings } from '../../src/cli/doctor/database.ts';
import { loadConfig } from '../../src/daemon/load-config.ts';
import { extensions } from '../../src/extensions/all.ts';
import { openStore } from '../../src/store/store.ts';

function createDatabase({ version, applicationId }: { version?: number; applicationId?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-doctor-'));
  const database = join(folder, 'tapster.db');
  openStore({ file: database, extensions }).close();
  const db = new Sqlite(database);
  if (version !== undefined)
    db.exec(
      `PRAGMA user_version = ${version}; UPDATE schema_info SET compatible_from = ${Math.max(version, 1)}`,
    );
  if (applicationId !== undefined) db.pragma(`application_id = ${applicationId}`);
  db.pragma('journal_mode = DELETE');
  db.close();
  return { folder, database, loaded: loadConfig({ env: { TAPSTER_DATABASE: database }, cwd: folder }) };
}

test('the doctor reports that an older database will be upgraded and does not change it', async () => {
  // The first version is 1, so 0 stands for an older one.
  const { folder, database, loaded } = createDatabase({ version: 0 });
  const before = readFileSync(database);
  const findings = await databaseFindings(loaded);
  expect(findings.map(({ status }) => status)).toEqual(['ok', 'warn']);
  expect(findings[1]!.text).toContain('schema version 0');
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['tapster.db']);
});

test('a current database is checked completely, and one of a newer Tapster is reported', async () => {
  const { database, loaded } = createDatabase();
  const before = readFileSync(database);
  expect((await databaseFindings(loaded)).map(({ status }) => status)).toEqual(['ok', 'ok']);
  expect(readFileSync(database).equals(before)).toBe(true);
  const [tomorrow] = await databaseFindings(createDatabase({ version: 9_999 }).loaded);
  expect([tomorrow!.status, tomorrow!.text]).toEqual(['fail', expect.stringContaining('newer Tapster')]);
});

test('the doctor reports a database of a Tapster before 0.1.0 and does not change it', async () => {
  const { folder, database, loaded } = createDatabase({ version: 18, applicationId: 0x54617073 });
  const before = readFileSync(database);
  const findings = await databaseFindings(loaded);
  expect(findings.map(({ status }) => status)).toEqual(['fail']);
  expect(findings[0]!.text).toContain('older than 0.1.0');
  expect(readFileSync(database).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['tapster.db']);
});
