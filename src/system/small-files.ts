import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Returns the trimmed text of a small file of the kernel; null when it cannot be read. */
export function readTextFile(file: string): string | null {
  try {
    // Texts of the device tree end with a zero byte.
    return readFileSync(file, 'utf8').replaceAll('\0', '').trim();
  } catch {
    return null;
  }
}

/** Returns the sorted names in a folder; none when it cannot be read. */
export function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

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
