#!/usr/bin/env node
// Builds dist/: the daemon with tsc, then bundled into a few files, and the page with Vite. With --if-missing
// it builds only what is missing or older than its source, so that a second `npm start` on a Pi builds
// nothing.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ifMissing = process.argv.includes('--if-missing');

const targets = [
  {
    name: 'daemon',
    product: 'dist/main.js',
    stamp: 'dist/.built-daemon',
    sources: [
      'src',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      'tools/bundle-daemon.mjs',
      'tools/licences.mjs',
    ],
    without: 'src/web',
    command: ['tsc', '-p', 'tsconfig.build.json'],
    async finish() {
      const { bundleDaemon } = await import('./bundle-daemon.mjs');
      await bundleDaemon();
    },
  },
  {
    name: 'page',
    product: 'dist/web/index.html',
    stamp: 'dist/.built-page',
    sources: ['src/web', 'vite.config.ts', 'tools/licences.mjs', 'package.json', 'package-lock.json'],
    command: ['vite', 'build', '--logLevel', 'warn'],
  },
];

function newest(path) {
  if (!existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isFresh(target) {
  const stamp = join(root, target.stamp);
  const product = statSync(join(root, target.product), { throwIfNoEntry: false });
  if (!product?.size || !existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return target.sources.every((source) => newest(join(root, source)) <= built);
}

for (const target of targets) {
  if (ifMissing && isFresh(target)) continue;
  if (ifMissing) console.error(`Building the ${target.name} …`);
  const [tool, ...args] = target.command;
  const run = spawnSync(
    process.execPath,
    [join(root, 'node_modules', tool === 'tsc' ? 'typescript/bin/tsc' : 'vite/bin/vite.js'), ...args],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (run.status !== 0) process.exit(run.status ?? 1);
  await target.finish?.();
  // After a power cut the stamp must not exist while the files it stands for are empty.
  spawnSync('sync', ['-f', join(root, 'dist')]);
  writeFileSync(join(root, target.stamp), '');
}
const main = join(root, 'dist/main.js');
if (existsSync(main)) chmodSync(main, 0o755);
