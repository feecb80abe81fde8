import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with package.json, `hardware/` and `dist/`; `src/` and `dist/` are at the same depth in it. */
export const productDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** The folder with boards, meters, wiring and example configurations. */
export const hardwareDirectory = join(productDirectory, 'hardware');

/** True in an installed package, which has its own Node.js and no npm. */
export const isPackage = (): boolean => existsSync(join(productDirectory, 'build.json'));

/** The year of the last release: a clock that shows an earlier year is not set. */
export const releaseYear = 2026;

let version: string | undefined;

/** Returns the version in package.json when it was first asked for: that of the running program. */
export function productVersion(): string {
  if (version === undefined) {
    const text = readFileSync(join(productDirectory, 'package.json'), 'utf8');
    ({ version } = JSON.parse(text) as { version: string });
  }
  return version;
}
