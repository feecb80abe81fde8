import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareVersions, isVersion } from '../core/updates/versions.ts';
import { isPackage, productDirectory } from './product.ts';
import { listNames } from './small-files.ts';

/**
 * The folder with the releases of the updater, of which this program is one; null for a checkout, and for an unpacked archive, which
 * has no updater.
 */
export function ownReleaseFolder(): string | null {
  const folder = dirname(productDirectory);
  return isPackage() && existsSync(join(folder, 'current')) ? folder : null;
}

/** Whether the folder has the complete release of a version: it gets the name of its version only when it is complete. */
export const hasRelease = (folder: string, version: string): boolean =>
  isVersion(version) && existsSync(join(folder, version, 'dist', 'main.js'));

/** The complete releases of a folder, the newest first. */
export const listReleases = (folder: string): readonly string[] =>
  listNames(folder)
    .filter((name) => hasRelease(folder, name))
    .sort((a, b) => compareVersions(b, a));
