import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const othersModeBits = 0o077;

/**
 * Sees to it that nobody but its owner may read or enter what lies at `path`; what is not there, or is somebody else's,
 * stays as it is. Opens nothing: to close a file of SQLite would drop the locks this process has on it.
 */
export function restrictToOwner(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode === undefined || (mode & othersModeBits) === 0) return;
  try {
    chmodSync(path, mode & 0o700);
  } catch {
    // A stick without modes, a read-only disk, another owner's file: whoever mounted or made it has decided.
  }
}

/** Begins an empty file that is the owner's from its first moment, where there is none. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  }
}
