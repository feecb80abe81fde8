import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tryUpdate } from '../../../src/daemon/updates/try-update.ts';
import { openDatabase } from '../../../src/store/database.ts';

const reserve = 50 * 1_048_576;
let folder: string;
let database: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-try-'));
  database = join(folder, 'tapster.db');
  openDatabase(database, 0, { programVersion: '0.1.0' }).close();
});
afterEach(() => rmSync(folder, { recursive: true }));

const size = () => statSync(database).size;

test('a database whose copy does not fit on the disk is refused, with what is free and needed, and nothing is left', async () => {
  const names = readdirSync(folder);
  await expect(tryUpdate(database, () => reserve + size() - 1)).rejects.toMatchObject({
    code: 'unavailable',
    reason: { name: 'no_disk_space' },
    message: expect.stringMatching(
      /^Only 5\d MB are free on the disk, and 5\d MB are needed: delete old backups/,
    ),
  });
  expect(readdirSync(folder)).toEqual(names);
});

test('a database whose copy fits is tried, and the copy deleted', async () => {
  await tryUpdate(database, () => reserve + size());
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});
