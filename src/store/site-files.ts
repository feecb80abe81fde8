import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { createProblem } from '../core/health/problems.ts';
import { backupsFolder, isBackupName } from './archive/backup-folder.ts';
import { fileStats } from './files.ts';

/** Raised where a site has lost its database: SQLite would make a new one, and the page would offer the set-up to anybody. */
export class LostDatabase extends AppError {
  constructor(database: string) {
    super(
      'unavailable',
      createProblem('database_lost', {
        state: fileStats(database) === null ? 'missing' : 'empty',
        name: backupNames(database).at(-1) ?? 'none',
      }),
    );
  }
}

/** Says that a new site starts here: left before the first file of a site is made, and removed once its database is open. */
const newSiteFile = (database: string): string => `${database}.new-site`;

/**
 * Throws `LostDatabase` when the file is missing or empty although backups, a journal, a write-ahead log or the state of the last
 * run lie beside it. Where none does, or a new site was asked for, the database is created. Throws the system's error
 * where this user may not look.
 */
export function requireDatabase(database: string): void {
  // What is no file at all is reported by its opening.
  if (fileStats(database)?.isFile() === false) return;
  if (hasDatabase(database) || isNewSite(database) || !hasTraces(database)) return;
  throw new LostDatabase(database);
}

/** True when a new site starts here, which is noted durably: a power cut may come before its database exists. */
export function beginSite(database: string): boolean {
  if (hasDatabase(database)) return false;
  if (isNewSite(database)) return true;
  if (hasTraces(database)) return false;
  try {
    noteNewSite(database);
  } catch {
    // A disk that is full or read-only: no other file can be made there either.
  }
  return true;
}

/**
 * Asks for a new site where one has lost its database. SQLite's log of the lost one is kept under another name, because SQLite would
 * delete it. False if there is a database. Throws the system's error.
 */
export function askForNewSite(database: string): boolean {
  if (hasDatabase(database)) return false;
  for (const log of ['-wal', '-shm', '-journal'].map((suffix) => `${database}${suffix}`)) {
    if (fileStats(log) === null) continue;
    let n = 1;
    while (fileStats(`${log}.former-${n}`) !== null) n++;
    renameSync(log, `${log}.former-${n}`);
  }
  noteNewSite(database);
  return true;
}

/** Notes durably that a new site starts here, before the files of the former one are removed. */
export function noteNewSite(database: string): void {
  writeFileSync(newSiteFile(database), '', { mode: 0o600, flush: true });
}

/** Removes the note: from now on a missing database is a lost one. */
export function siteHasBegun(database: string): void {
  try {
    rmSync(newSiteFile(database), { force: true });
  } catch {
    // The next opening tries again.
  }
}

const isNewSite = (database: string): boolean => fileStats(newSiteFile(database)) !== null;

/** True if there is a database that is not empty. */
export function hasDatabase(database: string): boolean {
  const stats = fileStats(database);
  return stats?.isFile() === true && stats.size > 0;
}

function hasTraces(database: string): boolean {
  const name = basename(database);
  const isTrace = (one: string): boolean =>
    [`${name}.journal`, `${name}.last-run`, `${name}.pins.json`, `${name}-wal`].includes(one) ||
    one.startsWith(`${name}.journal.damaged-`);
  return namesIn(dirname(database)).some(isTrace) || backupNames(database).length > 0;
}

/** The backups beside a database, the newest last: their names begin with the time. */
const backupNames = (database: string): readonly string[] =>
  namesIn(backupsFolder(database)).filter(isBackupName).sort();

/** The names in a folder; none without a folder. Throws the system's error where this user may not look. */
function namesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder);
}
