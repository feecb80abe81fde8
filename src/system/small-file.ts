import { readdirSync, readFileSync } from 'node:fs';

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
