import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

const load = () => import(join(productDirectory, 'packaging/reached-modules.mjs'));
const dist = join(productDirectory, 'dist');

function makeDist(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const programs = {
  'main.js': 'import { a } from "./chunks/a.js";\nconst run = () => import("./chunks/late.js");',
  'updater/main.js': "import '../core/plan.js';",
  'devices/relays-off/relays-off.js': '',
};

test('what the programs import, also late, and what they start as a child stays; the rest goes', async () => {
  const { removeUnreached } = await load();
  const folder = makeDist({
    ...programs,
    'chunks/a.js': 'new URL("../../../dist/store/child.js", import.meta.url)',
    'chunks/late.js': '',
    'chunks/old.js': '',
    'core/plan.js': "export { b } from './b.js';",
    'core/b.js': '',
    'core/unused.js': '',
    'engine/pours/unused.js': '',
    'store/child.js': '',
    'http/examples/current.json': '{}',
    '.built-daemon': '',
    'web/assets/page.js': '',
  });
  removeUnreached(folder);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
  expect(files).toEqual(
    [
      '.built-daemon',
      'a.js',
      'b.js',
      'child.js',
      'current.json',
      'late.js',
      'main.js',
      'main.js',
      'page.js',
      'plan.js',
      'relays-off.js',
    ].sort(),
  );
  expect(existsSync(join(folder, 'engine'))).toBe(false);
});

test('a module that is missing from the build stops the package', async () => {
  const { reachedModules } = await load();
  const folder = makeDist({ ...programs, 'chunks/a.js': '', 'chunks/late.js': '' });
  expect(() => reachedModules(folder)).toThrow('dist/core/plan.js is missing.');
});

test.runIf(existsSync(join(dist, 'main.js')))(
  'every child process and worker of the source is among the modules of the package',
  async () => {
    const { reachedModules } = await load();
    const reached: ReadonlySet<string> = reachedModules(dist);
    const source = join(productDirectory, 'src');
    const children = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(join(source, file), 'utf8').matchAll(/'\.\/([\w-]+-(?:child|worker)\.js)'/g)].map(
          ([, name]) => join(dirname(file), name as string),
        ),
      );
    expect(children.length).toBeGreaterThanOrEqual(4);
    expect(children.filter((child) => !reached.has(child))).toEqual([]);
  },
);
