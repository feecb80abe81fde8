import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/make-folder.ts';

/** The user the daemon's files belong to, where root asks; null where we are that user already. Makes the folder. */
export function findOwner(databaseFile: string): { readonly uid: number; readonly gid: number } | null {
  const folder = dirname(databaseFile);
  makeFolder(folder);
  const { uid, gid } = statSync(folder);
  return process.getuid?.() !== 0 || uid === 0 ? null : { uid, gid };
}

/**
 * Makes the database's folder where it is missing and, when root asks, goes on as the folder's owner: a file that root
 * leaves beside the ledger would lock the daemon, which runs as a user of its own, out of it.
 */
export function actAsOwner(databaseFile: string): void {
  const owner = findOwner(databaseFile);
  if (owner === null) return;
  process.setgroups?.([owner.gid]);
  process.setgid?.(owner.gid);
  process.setuid?.(owner.uid);
}
