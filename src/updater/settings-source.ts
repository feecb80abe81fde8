import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseUpdateSource, type UpdateSource } from '../core/updates/update-source.ts';

/** The settings file of an installed package. */
export const usualSettings = '/etc/tapster/tapster.json';

/** Bound of the settings file, as in `src/config/config-source.ts`, bytes. */
const maxBytes = 262_144;

/** Write permission for the group or for everybody. */
const othersMayWrite = 0o022;

/**
 * Reads address and key of new versions from the settings file, which only this program's user, root, may change: the daemon is no
 * authority for what root installs. Throws one sentence that says what is wrong.
 */
export function readUpdateSource(path: string): UpdateSource {
  const text = readOwnFile(path);
  let settings: unknown;
  try {
    settings = (JSON.parse(text) as { readonly updates?: unknown } | null)?.updates;
  } catch {
    throw new Error(`${path} is no JSON.`);
  }
  const source = parseUpdateSource(settings);
  if (source === null) throw new Error(`${path} has no valid updates.manifest_url and updates.public_key.`);
  return source;
}

function readOwnFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxBytes) throw new Error(`${path} is no settings file.`);
    // Whoever may write the folder may replace the file.
    for (const [name, one] of [
      [path, stat],
      [dirname(path), statSync(dirname(path))],
    ] as const)
      if (!isOwn(one)) throw new Error(`${name} may be changed by other users than root.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

const isOwn = ({ uid, mode }: Stats): boolean => uid === process.geteuid?.() && (mode & othersMayWrite) === 0;
