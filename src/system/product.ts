import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, `hardware/` and `dist/`; `src/` and `dist/` lie equally deep in it. */
export const productDirectory = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Boards, meters, wiring and ready configurations. */
export const hardwareDirectory = join(productDirectory, 'hardware');

/** The year this source was last released: a clock that shows less has not been set. */
export const releaseYear = 2026;

/** The version in package.json. */
export function productVersion(): string {
  const text = readFileSync(join(productDirectory, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
