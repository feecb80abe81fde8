import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseImports } from './import-rules.ts';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

type Sources = ReadonlyMap<string, string>;

/** The files of `src` and their texts. */
const readSources = (): Sources =>
  new Map(
    readdirSync(src, { recursive: true, encoding: 'utf8' })
      .map((path) => path.split(sep).join('/'))
      .filter((path) => /\.tsx?$/.test(path))
      .map((path) => [path, readFileSync(src + path, 'utf8')]),
  );

/** The files that each file imports statically, types too. */
function readGraph(sources: Sources): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...sources].map(([path, source]) => [
      path,
      parseImports(source)
        .filter(({ target, isStatic }) => isStatic && target.startsWith('.'))
        .map(({ target }) => posix.normalize(posix.join(posix.dirname(path), target)))
        .filter((target) => sources.has(target)),
    ]),
  );
}

/** The groups of files of which each imports itself through the others, as Tarjan finds them. */
function findCircles(sources: Sources): string[][] {
  const graph = readGraph(sources);
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  /** Returns the order of the earliest open file that `path` leads to. */
  function visit(path: string): number {
    const own = order.size;
    let earliest = own;
    order.set(path, own);
    open.push(path);
    for (const target of graph.get(path)!) {
      if (!order.has(target)) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, order.get(target)!);
    }
    if (earliest === own) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1 || graph.get(path)!.includes(path)) circles.push(group.sort());
    }
    return earliest;
  }
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return circles;
}

test('no file imports itself through others, not even for a type', () => {
  const sources = readSources();
  expect([...readGraph(sources).values()].flat().length).toBeGreaterThan(1_000);
  expect(findCircles(sources)).toEqual([]);
});

test('finds each circle with its files, through types and re-exports, but not through files loaded later', () => {
  const sources = new Map([
    ['a/one.ts', "import type { Two } from './two.ts';"],
    ['a/two.ts', "export { three } from '../b/three.ts';"],
    ['b/three.ts', "import { one } from '../a/one.ts';\nimport './four.ts';"],
    ['b/four.ts', "const one = await import('../a/one.ts');\nexport { five } from './five.ts';"],
    ['b/five.ts', "import { type Six } from './six.ts';"],
    ['b/six.ts', "import { five } from './five.ts';"],
  ]);
  expect(findCircles(sources)).toEqual([
    ['b/five.ts', 'b/six.ts'],
    ['a/one.ts', 'a/two.ts', 'b/three.ts'],
  ]);
});
