import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lostPaths, type Repository } from './document-paths.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders of the checkout that are no part of the repository. */
const withoutFolders = new Set(['.git', 'node_modules', 'dist', 'dist-packages', 'var', 'shared']);

function readRepository(): Repository {
  const top = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !withoutFolders.has(name));
  const paths = top.flatMap((entry) => [
    entry.name,
    ...(entry.isDirectory()
      ? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${entry.name}/${path.split(sep).join('/')}`,
        )
      : []),
  ]);
  const generated = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.replace(/^\/|\/$/g, ''));
  return { paths: new Set(paths), generated: new Set(generated) };
}

const repository = readRepository();
const documents = [...repository.paths].filter((path) => path.endsWith('.md'));

test.each(documents)('%s names only files and folders that are there', (document) => {
  const lost = lostPaths(document, readFileSync(join(root, document), 'utf8'), repository);
  expect(lost.filter((path) => !isOfDeletedExtension(path))).toEqual([]);
});

/** A document may have an extension as its example, which `npm run test:without` deletes. */
function isOfDeletedExtension(path: string): boolean {
  const name = /^(?:src|test)\/extensions\/([\w<>-]+)(?:\/|$)/.exec(path)?.[1];
  if (name === '<name>') return !hasExtensions;
  return name !== undefined && !repository.paths.has(`src/extensions/${name}`);
}

const hasExtensions = [...repository.paths].some((path) =>
  /^src\/extensions\/[^/]+\/extension\.ts$/.test(path),
);

test.each<[string, string[]]>([
  ['`src/engine/kegs.ts` and `src/engine/`', ['src/engine/kegs.ts']],
  ['`npx vitest run test/nothing`', ['test/nothing']],
  ['```sh\nnpm test -- test/nothing\n```', ['test/nothing']],
  ['`src/<layer>/kegs`, `src/*/kegs`, `src/{engine,store}/kegs`', []],
  ['`src/<layer>/casks`', ['src/<layer>/casks']],
  ['`engine/kegs`, `engine/casks`, `kegs.mjs`', ['engine/casks', 'kegs.mjs']],
  ['`/etc/tapster/tapster.json`, `GET /api/kegs`, `drinks/3`', []],
  ['src/engine/kegs.ts outside of back-ticks', []],
])('of %j these are not there: %j', (text, lost) => {
  const paths = ['README.md', 'src', 'src/engine', 'src/engine/kegs', 'src/store', 'src/store/kegs', 'test'];
  expect(lostPaths('README.md', text, { paths: new Set(paths), generated: new Set() })).toEqual(lost);
});
