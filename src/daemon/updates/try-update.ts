import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { copyDatabase } from '../../store/archive/database-copy.ts';
import { openDatabase } from '../../store/database.ts';
import { createDiskSpace, type ReadFreeBytes } from '../../store/disk-space.ts';
import { inspectDatabase } from '../../store/inspect-database.ts';
import { productDirectory, productVersion } from '../../system/product.ts';

const folderPrefix = '.update-check-';

/** The service counts beer on the same machine. */
const lowPriority = 10;

/**
 * Tries what this program needs before it replaces the one that runs: loads every library and opens a copy of the
 * database, which takes its schema steps there. Changes nothing else. Throws what a person can repair.
 */
export async function tryUpdate(database: string, readFreeBytes?: ReadFreeBytes): Promise<void> {
  setPriority(lowPriority);
  await loadLibraries();
  const size = statSync(database, { throwIfNoEntry: false })?.size;
  // A database that does not exist yet is created by any program.
  if (size === undefined) return;
  const home = dirname(database);
  removeLeftovers(home);
  createDiskSpace(home, readFreeBytes).require('change', size);
  const folder = mkdtempSync(join(home, folderPrefix));
  try {
    const copy = join(folder, 'tapster.db');
    inspectDatabase(database);
    copyDatabase(database, copy);
    openDatabase(copy, 0, { programVersion: productVersion() }).close();
    const [damage] = inspectDatabase(copy).damage();
    if (damage !== undefined) throw new AppError('unavailable', `The database is damaged: ${damage}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A truncated library, or one for another processor, is found now and not at the next start. */
async function loadLibraries(): Promise<void> {
  const text = readFileSync(join(productDirectory, 'package.json'), 'utf8');
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
  // Other libraries need reflect-metadata to be loaded first.
  const names = Object.keys(dependencies).sort((a, b) => Number(isFirst(b)) - Number(isFirst(a)));
  for (const name of names) {
    try {
      await import(name);
    } catch (cause) {
      throw new AppError('unavailable', `The library ${name} does not load: ${String(cause)}`, { cause });
    }
  }
}

const isFirst = (name: string): boolean => name === 'reflect-metadata';

/** A power cut during the check leaves a copy. */
function removeLeftovers(home: string): void {
  for (const name of readdirSync(home))
    if (name.startsWith(folderPrefix)) rmSync(join(home, name), { recursive: true, force: true });
}
