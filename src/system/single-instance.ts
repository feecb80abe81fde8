import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../core/app-error.ts';
import { followLinks } from './small-files.ts';

/** A held lock. */
export interface InstanceLock {
  /**
   * Locks the database file as it is now, too: it may have been created or replaced since. Only a lock of a daemon does so.
   * Does nothing when another process holds that file.
   */
  coverFile(): Promise<void>;
  release(): void;
}

/** The locked work: everything that a daemon does, making archives, or an import. */
type Purpose = 'daemon' | 'archive' | 'import';

const { O_RDONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;

const ownerOnly = 0o600;

/**
 * Ensures that only one process owns a database and its journal; returns null when another process holds the lock. The folder
 * of the database should exist.
 *
 * Two files are locked with flock(2). A lock file beside the database, which only its owner can open, holds for every path to
 * the folder: symbolic links, bind mounts, containers. The database file itself holds for another name of it, a hard link. The
 * kernel frees both when the process dies, so a power cut or `kill -9` leaves no stale lock.
 */
export async function lockInstance(
  databaseFile: string,
  purpose: Purpose = 'daemon',
): Promise<InstanceLock | null> {
  const database = followLinks(databaseFile);
  const path = purpose === 'daemon' ? `${database}.lock` : `${database}.${purpose}.lock`;
  const lockFile = await lockPath(path);
  if (lockFile === null) return null;
  let file = purpose === 'daemon' ? openDatabaseFile(database) : null;
  if (file !== null && !(await lockOrClose(file))) {
    closeSync(lockFile);
    return null;
  }
  let isReleased = false;
  return {
    async coverFile() {
      if (purpose !== 'daemon' || isReleased) return;
      const found = statSync(database, { throwIfNoEntry: false });
      if (found === undefined || (file !== null && isSameFile(fstatSync(file), found))) return;
      // Only the descriptor of a replaced file is closed: closing one drops the locks that SQLite holds on that file.
      if (file !== null) closeSync(file);
      file = openDatabaseFile(database);
      if (file !== null) await takeFlock(file);
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      for (const descriptor of [file, lockFile]) if (descriptor !== null) closeSync(descriptor);
    },
  };
}

/** The descriptor of the locked lock file; null when another process holds it. */
async function lockPath(path: string): Promise<number | null> {
  for (;;) {
    const descriptor = openLockFile(path);
    if (!(await lockOrClose(descriptor))) return null;
    const present = statSync(path, { throwIfNoEntry: false });
    // Somebody may have deleted the file between opening and locking it; a folder stands for a file that cannot be created.
    const held = fstatSync(descriptor);
    if (held.isDirectory() || (present !== undefined && isSameFile(held, present))) return descriptor;
    closeSync(descriptor);
  }
}

/** Why a lock file that is missing cannot be created. */
const uncreatableCodes: readonly string[] = ['EROFS', 'ENOSPC', 'EDQUOT', 'ENOENT', 'ENOTDIR', 'EACCES'];

/**
 * Opens or creates a lock file. Where it cannot be created, on a read-only or full disk or in a folder that is missing or not
 * writable, the nearest folder is opened in its place: the daemon counts there all the same. Throws `not_allowed` for a file of
 * a foreign user, who could hold the lock.
 */
function openLockFile(path: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_CREAT | O_NOFOLLOW, ownerOnly);
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    const isMissing = code !== 'EACCES' || statSync(path, { throwIfNoEntry: false }) === undefined;
    if (!isMissing || !uncreatableCodes.includes(code ?? '')) throw fault;
    return openNearestFolder(dirname(path));
  }
  try {
    makePrivate(descriptor, path);
  } catch (fault) {
    closeSync(descriptor);
    throw fault;
  }
  return descriptor;
}

function openNearestFolder(folder: string): number {
  try {
    return openSync(folder, O_RDONLY);
  } catch (fault) {
    if (dirname(folder) === folder) throw fault;
    return openNearestFolder(dirname(folder));
  }
}

/** Gives a file that root has created to the owner of the folder, since the daemon could not open it otherwise. */
function makePrivate(descriptor: number, path: string): void {
  const file = fstatSync(descriptor);
  const folder = statSync(dirname(path));
  const self = process.geteuid?.() ?? file.uid;
  if (![self, 0, folder.uid].includes(file.uid)) {
    throw new AppError(
      'not_allowed',
      `The lock file ${path} belongs to another user, who could keep Tapster from starting: delete it.`,
    );
  }
  try {
    if (self === 0 && file.uid !== folder.uid) fchownSync(descriptor, folder.uid, folder.gid);
    if ((self === 0 || self === file.uid) && (file.mode & 0o777) !== ownerOnly)
      fchmodSync(descriptor, ownerOnly);
  } catch {
    // A file system without owners and modes: access is decided elsewhere.
  }
}

/** A descriptor of the database file; null if there is none, or if it may not be read, which its use reports. */
function openDatabaseFile(database: string): number | null {
  try {
    return openSync(database, O_RDONLY | O_NONBLOCK);
  } catch (fault) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes((fault as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw fault;
  }
}

const isSameFile = (a: Stats, b: Stats): boolean => a.dev === b.dev && a.ino === b.ino;

async function lockOrClose(descriptor: number): Promise<boolean> {
  let isLocked = false;
  try {
    isLocked = await takeFlock(descriptor);
    return isLocked;
  } finally {
    if (!isLocked) closeSync(descriptor);
  }
}

/** Exit code of `flock` when another process holds the lock. */
const heldExitCode = 1;

/**
 * Locks an open file; false when another process holds the lock. Node.js cannot: the program `flock` of util-linux locks the
 * open file, which this process shares with it and keeps.
 */
function takeFlock(descriptor: number): Promise<boolean> {
  return new Promise((done, fail) => {
    const child = spawn('flock', ['-x', '-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', descriptor] });
    let said = '';
    child.stderr!.on('data', (piece: Buffer) => {
      said = (said + piece.toString('utf8')).slice(0, 500);
    });
    child.once('error', (cause) =>
      fail(
        new AppError('unavailable', 'The program flock cannot be started: install the package util-linux.', {
          cause,
        }),
      ),
    );
    child.once('close', (code, signal) => {
      if (code === 0) done(true);
      else if (code === heldExitCode) done(false);
      else
        fail(
          new AppError('unavailable', `The database cannot be locked: ${said.trim() || (signal ?? code)}.`),
        );
    });
  });
}
