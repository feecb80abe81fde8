import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { requireDatabase } from '../store/site-files.ts';
import { readTextFile } from '../system/small-files.ts';

/**
 * Throws where this user may not read the database, `LostDatabase` where it is missing although it was there. False if there is none
 * yet.
 */
export function requireReadableDatabase(database: string): boolean {
  requireDatabase(database);
  if (statSync(database, { throwIfNoEntry: false }) === undefined) return false;
  accessSync(database, constants.R_OK);
  return true;
}

/** Who refuses a file to this user and what to do; null if a fault has another reason. */
export function describeRefusal(fault: unknown, command: string): string | null {
  const refused = findRefusal(fault);
  if (refused === null) return null;
  const owner = findOwnerOf(refused.path);
  const self = process.geteuid?.();
  const text = `This user may not ${refused.verb} ${refused.path}.`;
  if (owner === null || owner.uid === self || self === 0) return `${text} Check its owner and mode.`;
  const call = owner.uid === 0 ? 'sudo tapster' : `sudo -u ${owner.name} tapster`;
  return `${text} It belongs to ${owner.name}, so call: ${call} ${command} …`;
}

function findRefusal(fault: unknown): { readonly path: string; readonly verb: string } | null {
  const { code, path, syscall, cause } = (fault ?? {}) as NodeJS.ErrnoException & { cause?: unknown };
  if ((code === 'EACCES' || code === 'EPERM') && typeof path === 'string') {
    return { path, verb: verbs[syscall ?? ''] ?? 'change' };
  }
  return cause === undefined ? null : findRefusal(cause);
}

/** What a system call wanted to do; all others change something. */
const verbs: Readonly<Record<string, string>> = {
  open: 'open',
  stat: 'read',
  lstat: 'read',
  access: 'read',
  read: 'read',
  scandir: 'read',
};

/** The owner of a file, or of the nearest folder above it that can be looked at. */
function findOwnerOf(path: string): { readonly uid: number; readonly name: string } | null {
  try {
    const { uid } = statSync(path);
    return { uid, name: userName(uid) };
  } catch {
    const folder = dirname(path);
    return folder === path ? null : findOwnerOf(folder);
  }
}

function userName(uid: number): string {
  const line = new RegExp(`^([^:\n]+):[^:\n]*:${uid}:`, 'm').exec(readTextFile('/etc/passwd') ?? '');
  return line?.[1] ?? `#${uid}`;
}
