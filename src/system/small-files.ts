import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';

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

/** True if something is there. Throws the system's error where this user may not look: that is not the same as absent. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** True if nothing is there; false also where this user may not look, so that whoever opens it says why not. */
export function isAbsent(path: string): boolean {
  try {
    return !isThere(path);
  } catch {
    return false;
  }
}

/** Like `readTextFile`, but null only if there is no such file; throws when this user may not read it. */
export function readTextIfAny(file: string): string | null {
  return isThere(file) ? readFileSync(file, 'utf8') : null;
}

/** The kernel's own limit of symbolic links in one path. */
const maxLinks = 40;

/**
 * The absolute path of the file that a symbolic link names in the end, which need not exist; of any other path itself. Links
 * among its folders stay.
 */
export function followLinks(path: string): string {
  let file = resolve(path);
  for (let links = 0; links < maxLinks; links++) {
    const target = readLink(file);
    if (target === null) break;
    file = resolve(dirname(file), target);
  }
  return file;
}

function readLink(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    // Not a link, or a folder that may not be entered: whoever opens the file finds out.
    return null;
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
