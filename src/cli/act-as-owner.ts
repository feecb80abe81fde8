import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';

/**
 * Makes the database's folder where it is missing and, when root asks, goes on as the folder's owner: a file that root
 * leaves beside the ledger would lock the daemon, which runs as a user of its own, out of it.
 */
export function actAsOwner(databaseFile: string): void {
  const folder = dirname(databaseFile);
  makeFolder(folder);
  const { uid, gid } = statSync(folder);
  if (process.getuid?.() !== 0 || uid === 0) return;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}
