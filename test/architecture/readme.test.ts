import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { layersWithSubjects } from './subject-rules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readText = (path: string): string => readFileSync(root + path, 'utf8');
const readFolders = (path: string): string[] =>
  readdirSync(root + path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));

const readme = readText('README.md');

test('the source tree of the README and the layers of the architecture are the folders of src', () => {
  const tree = [...readme.matchAll(/^src\/([\w-]+) {2,}\S/gm)].map(([, name]) => name!);
  const layers = [...readText('docs/architecture.md').matchAll(/^\| `([a-z]+)` \|.*\|.*\|$/gm)];
  expect(tree.sort()).toEqual(readFolders('src').sort());
  const rows = new Set(layers.map(([, name]) => name!));
  expect(readFolders('src').filter((name) => name !== 'extensions' && !rows.has(name))).toEqual([]);
});

test('each subject that the README names is a folder of every layer with subjects', () => {
  const sentence = /have the same folders, one for each subject: ([^;]+);/.exec(readme)?.[1] ?? '';
  const named = [...sentence.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(5);
  for (const layer of [...layersWithSubjects, 'web/pages'])
    expect(readFolders(`src/${layer}`)).toEqual(expect.arrayContaining(named));
});

test('a README of 200 lines and a changelog of 40 can be read', () => {
  const countLines = (path: string): number => readText(path).trimEnd().split('\n').length;
  expect(countLines('README.md')).toBeLessThanOrEqual(200);
  expect(countLines('CHANGELOG.md')).toBeLessThanOrEqual(40);
});
