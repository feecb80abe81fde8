import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCopyFolder } from '../../../src/services/backups/copy-folder.ts';

const megabyte = 1024 * 1024;
const database = '/data/tapster.db';

/** A folder that stands for the memory, with this much space. */
function createMemory(options: { freeMb?: number; availableMb?: number } = {}) {
  const { freeMb = 200, availableMb = 400 } = options;
  const folder = mkdtempSync(join(tmpdir(), 'tapster-shm-'));
  return { folder, freeBytes: freeMb * megabyte, availableBytes: availableMb * megabyte };
}

const open = (megabytes: number, memory: ReturnType<typeof createMemory> | null) =>
  openCopyFolder({ database, bytes: megabytes * megabyte, onDisk: '/disk' }, memory);

test('the copy of a database of 77 MB lies in memory on a Pi with 400 MB available, for this user alone', async () => {
  const memory = createMemory();
  const copies = await open(77, memory);
  expect(copies.isInMemory).toBe(true);
  expect(copies.folder.startsWith(join(memory.folder, 'tapster-backup-'))).toBe(true);
  writeFileSync(join(copies.folder, 'tapster.db'), '');
  await copies.remove();
  expect(readdirSync(memory.folder)).toEqual([]);
});

test.each([
  ['more than 100 MB', 101, createMemory({ freeMb: 4_000, availableMb: 4_000 })],
  ['more than the file system in memory has free', 77, createMemory({ freeMb: 115 })],
  ['so large that less than 120 MB stay available', 77, createMemory({ availableMb: 235 })],
  ['of a system without such a file system', 1, null],
])('a copy %s lies on the disk', async (_, megabytes, memory) => {
  expect(await open(megabytes, memory)).toMatchObject({ folder: '/disk', isInMemory: false });
});

test('what a killed process left of this database is removed, other folders stay', async () => {
  const memory = createMemory();
  const killed = await open(1, memory);
  writeFileSync(join(killed.folder, 'tapster.db'), 'a copy');
  const other = await openCopyFolder({ database: '/other.db', bytes: 1, onDisk: '/disk' }, memory);
  mkdirSync(join(memory.folder, 'sem.something'));
  await open(1_000, memory);
  expect(existsSync(killed.folder)).toBe(false);
  expect(existsSync(other.folder)).toBe(true);
  expect(existsSync(join(memory.folder, 'sem.something'))).toBe(true);
});
