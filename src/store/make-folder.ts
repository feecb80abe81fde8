import { mkdirSync, statSync } from 'node:fs';
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
