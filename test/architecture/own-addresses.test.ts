import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Files of a folder whose text matches. */
function filesWith(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')))
    .sort();
}

// biome.json forbids the usual imports; a namespace or a dynamic import is found here only.
test('one module asks for the addresses of this machine, since the sandbox forbids the usual way', () => {
  expect(filesWith('src', /\bnetworkInterfaces\b/)).toEqual(['src/system/own-addresses.ts']);
});

test('the installers ask Tapster for the addresses', () => {
  const ownWay = /hostname -I|\bip (?:-\d )?addr|\bifconfig\b/;
  expect([...filesWith('systemd', ownWay), ...filesWith('packaging', ownWay)]).toEqual([]);
});
