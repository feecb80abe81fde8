import { readdirSync, readFileSync } from 'node:fs';

/** The trimmed text of a file of the kernel's, null when it cannot be read. */
export function readTextFile(file: string): string | null {
  try {
    // The device tree ends its texts with a zero byte.
    return readFileSync(file, 'utf8').replaceAll('\0', '').trim();
  } catch {
    return null;
  }
}

/** The sorted names in a folder, none when it cannot be read. */
export function listNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}
