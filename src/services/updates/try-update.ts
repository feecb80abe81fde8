import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { copyDatabase } from '../../store/archive/database-copy.ts';
import { openDatabase } from '../../store/database.ts';
import { createDiskSpace, type ReadFreeBytes } from '../../store/disk-space.ts';
import { fileStats } from '../../store/files.ts';
import { inspectDatabase } from '../../store/inspect-database.ts';
import { requireDatabase } from '../../store/site-files.ts';
import { productDirectory } from '../../system/product.ts';
import { programUpgrade } from '../database/program-upgrade.ts';

const folderPrefix = '.update-check-';

/** The service counts beer on the same machine. */
const lowPriority = 10;

/** sysexits: what `tapster check --opens` ends with when its program cannot use the database. */
const unusableExitCode = 69;

/** A start takes a Pi some seconds; longer is a hang, milliseconds. */
const openTimeoutMs = 120_000;

/** What the trial may need besides the database. */
export interface TryOptions {
  /** Folder of the release that comes back if this one does not work. */
  readonly wayBack?: string | undefined;
  readonly readFreeBytes?: ReadFreeBytes;
}

/**
 * Tries what this program needs before it replaces the one that runs: loads every library and opens a copy of the
 * database, which takes its schema steps there. The release of the way back must be able to use that copy too. Changes nothing
 * else. Throws what a person can repair.
 */
export async function tryUpdate(
  database: string,
  { wayBack, readFreeBytes }: TryOptions = {},
): Promise<void> {
  setPriority(lowPriority);
  await loadLibraries();
  requireDatabase(database);
  const size = fileStats(database)?.size;
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
    openDatabase(copy, { waitMs: 0, upgrade: programUpgrade() }).close();
    const [damage] = inspectDatabase(copy).damage();
    if (damage !== undefined) throw new AppError('unavailable', `The database is damaged: ${damage}`);
    if (wayBack !== undefined) requireWayBack(wayBack, copy);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * No backup is restored over newer drinks, so the release before must be able to use what this one leaves. One that does not even
 * start says nothing: it must be possible to leave it.
 */
function requireWayBack(release: string, database: string): void {
  const node = join(release, 'bin', 'node');
  const { status, stderr } = spawnSync(
    existsSync(node) ? node : process.execPath,
    [join(release, 'dist', 'main.js'), 'check', '--opens', database],
    { encoding: 'utf8', timeout: openTimeoutMs },
  );
  if (status !== unusableExitCode) return;
  throw new AppError(
    'unavailable',
    `There would be no way back: the version that runs could not use the database afterwards. Install a version between the two first. (${stderr.trim()})`,
  );
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
