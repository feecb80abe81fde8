import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/files.ts';
import { UsageFault } from './command.ts';

/** Returns the owner of the database's folder when root calls, else null. Creates the folder. */
export function findOwner(databaseFile: string): { readonly uid: number; readonly gid: number } | null {
  const folder = dirname(databaseFile);
  makeFolder(folder);
  const { uid, gid } = statSync(folder);
  return process.getuid?.() !== 0 || uid === 0 ? null : { uid, gid };
}

/**
 * Creates the database's folder if it is missing and, when root calls, switches to the folder's owner: a file
 * of root beside the database would lock out the daemon, which runs as a user of its own. Throws `UsageFault`
 * where Node.js cannot switch, as on Debian 13: its Node.js 20 does not know whether its libuv uses io_uring,
 * which would keep root's rights.
 */
export function actAsOwner(databaseFile: string): void {
  const owner = findOwner(databaseFile);
  if (owner === null) return;
  try {
    process.setgroups?.([owner.gid]);
    process.setgid?.(owner.gid);
    process.setuid?.(owner.uid);
  } catch {
    throw new UsageFault(
      'This Node.js cannot switch from root to the owner of the database. Put "sudo -u tapster" before the command.',
    );
  }
}
