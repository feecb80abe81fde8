import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programUpgrade } from '../../../src/services/database/program-upgrade.ts';
import { tryUpdate } from '../../../src/services/updates/try-update.ts';
import { openDatabase } from '../../../src/store/database.ts';

const reserve = 50 * 1_048_576;
let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-try-'));
  database = join(folder, 'tapster.db');
  openDatabase(database, { waitMs: 0, upgrade: programUpgrade() }).close();
});
afterEach(() => rmSync(folder, { recursive: true }));

const size = () => statSync(database).size;

test('a database whose copy does not fit on the disk is refused, with what is free and needed, and nothing is left', async () => {
  const names = readdirSync(folder);
  await expect(tryUpdate(database, { readFreeBytes: () => reserve + size() - 1 })).rejects.toMatchObject({
    code: 'unavailable',
    reason: { name: 'no_disk_space' },
    message: expect.stringMatching(
      /^Only 5\d MB are free on the disk, and 5\d MB are needed: delete old backups/,
    ),
  });
  expect(readdirSync(folder)).toEqual(names);
});

test('a database whose copy fits is tried, and the copy deleted', async () => {
  await tryUpdate(database, { readFreeBytes: () => reserve + size() });
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

/** A release whose program ends with `code` when it is asked whether it can use a database of its own schema. */
function makeRelease(code: number): string {
  const release = join(folder, `release-${code}`);
  mkdirSync(join(release, 'dist'), { recursive: true });
  writeFileSync(
    join(release, 'dist', 'main.js'),
    `const fs = require('node:fs');
    const [, , command, option, file] = process.argv;
    const isAsked = command === 'check' && option === '--opens' && fs.readFileSync(file).length > 0;
    process.stderr.write('The database is newer.');
    process.exit(isAsked ? ${code} : 0);`,
  );
  return release;
}

test('a version whose database the release before could not use is refused', async () => {
  await expect(tryUpdate(database, { wayBack: makeRelease(69) })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^There would be no way back: .*The database is newer\.\)$/),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test.each([
  ['can use the database', 0],
  ['does not start', 1],
])('a release before that %s does not hinder', async (_name, code) => {
  await tryUpdate(database, { wayBack: makeRelease(code) });
});
