import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

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
