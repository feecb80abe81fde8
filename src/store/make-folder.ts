import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and the ones above it where they are missing, for this user alone. Throws what the system answers.
 *
 * Level by level, because Node's own recursive way never ends where the system says "no such folder" below one that
 * exists, as `/proc` does.
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
