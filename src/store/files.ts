import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, accessible to this user only. Throws the system's error.
 *
 * Creates level by level, because Node's recursive mkdir never returns where the system answers ENOENT below
 * an existing folder, as `/proc` does.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let level = path; !isFolder(level) && level !== dirname(level); level = dirname(level))
    missing.unshift(level);
  for (const level of missing) mkdirSync(level, { mode: 0o700 });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What the system knows about a file; null if there is none. Throws where this user may not look: that is not the same. */
export const fileStats = (path: string): Stats | null => statSync(path, { throwIfNoEntry: false }) ?? null;

/** Throws the system's error where this user may not change a file or folder, though he may see that it is there. */
export function requireWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (fault) {
    throw Object.assign(fault as NodeJS.ErrnoException, { syscall: 'write' });
  }
}

/** Writes all of `bytes` at offset `at`; on a nearly full disk one write may store only a part. */
export function writeAll(fd: number, bytes: Buffer, at: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
  }
}

/** Syncs a file or folder to the disk (fsync). */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

const othersModeBits = 0o077;

/**
 * Removes all access of group and others from `path`. A missing path, or one of another owner, is left as it
 * is. Does not open the file: closing a descriptor of an SQLite file would drop the locks that this process
 * holds on it.
 */
export function restrictToOwner(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & othersModeBits) === 0) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // A file system without modes, a read-only disk or another owner's file: access is decided elsewhere.
  }
}

/** Creates an empty file that is private from the start, unless it exists. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  }
}
