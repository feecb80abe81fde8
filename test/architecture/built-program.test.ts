import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
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

test('the built daemon starts with its packages in its own files, but the database library', () => {
  const main = join(productDirectory, 'dist/main.js');
  const run = findLazyChunk(main, 'run');
  const daemon = findLazyChunk(run, 'run-daemon');
  const files = [main, run, daemon, findLazyChunk(daemon, 'start-http')].reduce(
    (all, file) => collectImports(file, all),
    new Set<string>(),
  );
  const packages = [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import\b[^;'"`]*["'`]([^."'`][^"'`]*)["'`];/gm)].map(
      ([, name]) => name!,
    ),
  );
  expect(new Set(packages.filter((name) => !isBuiltin(name)))).toEqual(new Set(['better-sqlite3']));
});

/** Scripts of the first page, bytes after compression: a phone on a bar's weak network waits for them. */
const maxFirstPageBytes = 60 * 1024;

test('the first page needs at most 60 KB of scripts, compressed, in every language', () => {
  const web = join(productDirectory, 'dist/web');
  const html = readFileSync(join(web, 'index.html'), 'utf8');
  const scripts = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.js)"/g)].map(([, name]) => name!);
  const size = (name: string) => gzipSync(readFileSync(join(web, name)), { level: 9 }).length;
  const shared = scripts.reduce((sum, name) => sum + size(name), 0);
  const texts = readdirSync(join(web, 'assets')).filter(
    (name) => /^\w+-first-.*\.js$/.test(name) && !/^first-/.test(name),
  );
  expect(texts.length).toBeGreaterThan(1);
  for (const name of texts) expect(shared + size(`assets/${name}`), name).toBeLessThan(maxFirstPageBytes);
});
