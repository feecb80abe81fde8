import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { AppError } from '../../core/app-error.ts';
import { verifyDatabase } from '../../engine/site/verify-database.ts';
import { memberNames } from '../../store/archive/manifest.ts';
import { linkOrCopy } from '../../store/archive/pack-archive.ts';
import { schemaDifferences } from '../../store/archive/schema-differences.ts';
import { unpackArchive } from '../../store/archive/unpack-archive.ts';
import { toDatabaseError } from '../../store/database.ts';
import { fileStats, makeFolder, syncToDisk } from '../../store/files.ts';
import { versionOf } from '../../store/schema/migrations.ts';
import { openStore } from '../../store/store.ts';
import { programExtensions, programUpgrade } from '../database/program-upgrade.ts';
import type { ArchiveResults, JobOf } from './archive-jobs.ts';

/** The settings file of a restored backup, beside the database. */
const restoredSettingsName = 'restored-settings.json';

const preparedName = /^\.restoring-[0-9a-f]{16}$/;

/**
 * Unpacks an archive beside the database and checks everything in it, without touching files in use. The
 * result is a database of the current schema without logins.
 */
export async function prepareRestore({
  database,
  archive,
  serverVersion,
}: JobOf<'prepare'>): Promise<ArchiveResults['prepare']> {
  const home = dirname(database);
  const source = archive === null ? process.stdin : await openArchive(archive);
  makeFolder(home);
  await sweepPrepared(home);
  const prepared = join(home, `.restoring-${randomBytes(8).toString('hex')}`);
  await mkdir(prepared, { mode: 0o700 });
  try {
    const manifest = await unpackArchive(source, prepared);
    const databaseFile = join(prepared, memberNames.database);
    const mismatches = verify(databaseFile, manifest.schemaVersion, serverVersion);
    endLogins(databaseFile);
    await syncToDisk(databaseFile);
    await syncToDisk(prepared);
    return { prepared, manifest, mismatches };
  } catch (fault) {
    await rm(prepared, { recursive: true, force: true });
    throw fault;
  } finally {
    source.destroy();
  }
}

async function openArchive(path: string) {
  try {
    return (await open(path, 'r')).createReadStream();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES') throw cause;
    throw new AppError('not_found', `The file ${path} cannot be opened.`, { cause });
  }
}

function verify(databaseFile: string, schemaVersion: number, programVersion: string): readonly string[] {
  let mismatches: readonly string[];
  const { steps } = programUpgrade();
  try {
    // A version above its real one would make every later program skip migrations.
    if (readVersion(databaseFile) !== schemaVersion) throw changedByAnother('version');
    // The backup itself is the backup before this upgrade.
    mismatches = verifyDatabase(databaseFile, {
      extensions: programExtensions,
      upgrade: { programVersion, steps },
    });
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    throw new AppError('invalid_request', 'The database in the backup cannot be used: take another backup.', {
      cause: fault,
    });
  }
  const [difference] = schemaDifferences(databaseFile, steps);
  if (difference !== undefined) throw changedByAnother(difference);
  return mismatches;
}

const changedByAnother = (difference: string): AppError =>
  new AppError(
    'invalid_request',
    'The database in the backup was changed by another program: take another backup.',
    { cause: new Error(`Its schema differs in: ${difference}`) },
  );

function readVersion(databaseFile: string): number {
  const db = new Sqlite(databaseFile, { readonly: true, fileMustExist: true });
  try {
    return versionOf(db);
  } catch (fault) {
    throw toDatabaseError(fault);
  } finally {
    db.close();
  }
}

/**
 * Removes logins, tablets and mailed secrets: an account may have been closed since the backup, and a link
 * that was used since would be valid again. Removes the totals of serial boards too: what was poured since
 * the backup would be recorded as one drink. Closing the store moves the last pages of the write-ahead log
 * into the file.
 */
function endLogins(databaseFile: string): void {
  const store = openStore({ file: databaseFile });
  try {
    store.transaction(() => {
      store.users.logins.removeAll();
      store.users.tablets.removeAll();
      store.users.mailedSecrets.removeAll();
      store.controllers.boardCounters.removeAll();
    });
  } finally {
    store.close();
  }
}

/**
 * Replaces the database by a prepared one. Neither may be open. The former database and its pictures are set
 * aside, never overwritten, and whenever the power fails a complete database, former or new, is in place.
 * Pours that wait in the journal stay there and go into the new database.
 */
export async function swapDatabase({
  database,
  prepared,
  settings,
  nowMs,
}: JobOf<'swap'>): Promise<ArchiveResults['swap']> {
  const home = dirname(resolve(database));
  if (dirname(prepared) !== home || !preparedName.test(prepared.slice(home.length + 1))) {
    throw new AppError('invalid_request', 'No restore was prepared at this path.');
  }
  const setAside = hasFormer(database) ? await setAsideFormer(database, nowMs) : null;
  const pictures = join(home, 'pictures');
  await mkdir(pictures, { recursive: true, mode: 0o700 });
  // Picture names are random, so equal names mean the same picture.
  for (const file of await readdir(join(prepared, 'pictures'))) {
    await rename(join(prepared, 'pictures', file), join(pictures, file));
  }
  await syncToDisk(pictures);
  const otherSettings = await keepOtherSettings(join(prepared, memberNames.settings), settings, home);
  await rename(join(prepared, memberNames.database), database);
  await syncToDisk(home);
  await rm(prepared, { recursive: true, force: true });
  return { setAside, otherSettings };
}

/**
 * Moves the backup's settings file beside the database if it differs from the one in use. The daemon cannot
 * write its settings file, and must not: it names pins and addresses.
 */
async function keepOtherSettings(
  restored: string,
  inUse: string | null,
  home: string,
): Promise<string | null> {
  const text = await readFile(restored).catch(() => null);
  if (text === null) return null;
  const present = inUse === null ? null : await readFile(inUse).catch(() => null);
  if (present?.equals(text)) return null;
  const target = join(home, restoredSettingsName);
  await rename(restored, target);
  return target;
}

/** A write-ahead log without its database is all that is left of it, and would corrupt the new one. */
const hasFormer = (database: string): boolean =>
  ['', ...logSuffixes].some((suffix) => fileStats(`${database}${suffix}`) !== null);

/** What SQLite keeps beside a database. */
const logSuffixes = ['-wal', '-shm', '-journal'] as const;

/**
 * Links the former database and its pictures into a folder of their own, and moves its write-ahead log there.
 */
async function setAsideFormer(database: string, nowMs: number): Promise<string> {
  const home = dirname(resolve(database));
  const folder = await newFolder(home, nowMs);
  const hasFile = fileStats(database) !== null;
  if (hasFile) {
    checkpointLog(database);
    await linkOrCopy(database, join(folder, 'tapster.db'));
  }
  const pictures = join(home, 'pictures');
  await mkdir(join(folder, 'pictures'), { mode: 0o700 });
  for (const file of fileStats(pictures) === null ? [] : await readdir(pictures)) {
    const source = join(pictures, file);
    if ((await stat(source)).isFile()) await linkOrCopy(source, join(folder, 'pictures', file));
  }
  for (const part of [...(hasFile ? ['tapster.db'] : []), 'pictures', '.'])
    await syncToDisk(join(folder, part));
  // A log that could not be checkpointed belongs to the former database and would corrupt the new one.
  for (const suffix of logSuffixes) {
    await rename(`${database}${suffix}`, join(folder, `tapster.db${suffix}`)).catch((fault) => {
      if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault;
    });
  }
  await syncToDisk(home);
  return folder;
}

async function newFolder(home: string, nowMs: number): Promise<string> {
  const stamp = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  for (let attempt = 0; ; attempt++) {
    const folder = join(home, `set-aside-${stamp}${attempt === 0 ? '' : `-${attempt}`}`);
    try {
      await mkdir(folder, { mode: 0o700 });
      return folder;
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST' || attempt > 100) throw fault;
    }
  }
}

/**
 * Moves the content of the write-ahead log into the file. A damaged database keeps its log: SQLite would
 * discard what it cannot read, which may still be recoverable.
 */
function checkpointLog(database: string): void {
  if (!isSound(database)) return;
  const db = new Sqlite(database, { fileMustExist: true });
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function isSound(database: string): boolean {
  try {
    const db = new Sqlite(database, { readonly: true, fileMustExist: true });
    try {
      return db.pragma('quick_check(1)', { simple: true }) === 'ok';
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

async function sweepPrepared(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (preparedName.test(name)) await rm(join(home, name), { recursive: true, force: true });
  }
}
