import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

const ownImports = /^(?:import|export)\b[^;'"]*["'](\.[^"']+)["'];/gm;

/** Adds `file` and the files of the build that it imports statically. */
function collectImports(file: string, found: Set<string>): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, next] of readFileSync(file, 'utf8').matchAll(ownImports))
    collectImports(join(dirname(file), next!), found);
  return found;
}

/** The chunk `name` that `file` imports dynamically. */
function findLazyChunk(file: string, name: string): string {
  const next = new RegExp(`import\\("(\\./(?:chunks/)?${name}-[^"]+)"\\)`).exec(
    readFileSync(file, 'utf8'),
  )?.[1];
  return join(dirname(file), next ?? `nothing called ${name}`);
}

test('the built daemon needs fewer than 60 files to start, since a Pi opens each slowly', () => {
  const main = join(productDirectory, 'dist/main.js');
  const run = findLazyChunk(main, 'run');
  const files = [main, run, findLazyChunk(run, 'run-daemon')].reduce(
    (all, file) => collectImports(file, all),
    new Set<string>(),
  );
  expect(files.size).toBeGreaterThan(3);
  expect(files.size).toBeLessThan(60);
});
