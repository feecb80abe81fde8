import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Replaces a file that only its owner may read, so that after a power cut it is the former or the new one (write, fsync,
 * rename, fsync of the folder). Throws the file system's error; the former file stays as it is then.
 */
export function writeDurably(path: string, text: string): void {
  const newPath = `${path}.new`;
  try {
    writeFileSync(newPath, text, { mode: 0o600, flush: true });
    renameSync(newPath, path);
  } catch (cause) {
    rmSync(newPath, { force: true });
    throw cause;
  }
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
