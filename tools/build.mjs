#!/usr/bin/env node
// Builds four targets: the types of the messages (src/web/locales/messages.ts, src/core/locales/messages.ts) and of the page's API
// client (src/web/api/generated.ts), the daemon with tsc, then bundled into a few files, and the page with Vite. The daemon and the
// page need the messages, whose target fails if a language lacks a text. Names of targets as arguments build only these. With --if-missing it builds only what is missing or
// older than its sources, so that a second `npm start` on a Pi builds nothing.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const ifMissing = process.argv.includes('--if-missing');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

/** What the target `messages` writes in core; it is made of `locales`, whose time counts. */
const generatedTexts = ['src/core/locales/messages.ts', 'src/core/locales/problem-texts.ts'];

const targets = [
  {
    // Before the others, because it also checks that every language has all texts.
    name: 'messages',
    product: 'src/web/locales/messages.ts',
    alsoMakes: generatedTexts,
    stamp: 'dist/.built-messages',
    sources: ['locales', 'src/core/locales', 'tools/make-messages.mjs'],
    without: generatedTexts,
    command: ['tools/make-messages.mjs'],
  },
  {
    name: 'client',
    product: 'src/web/api/generated.ts',
    stamp: 'dist/.built-client',
    sources: ['src', 'tools/make-client.mjs', 'tools/client-text.mjs', 'package-lock.json'],
    without: ['src/web', ...generatedTexts],
    command: ['tools/make-client.mjs'],
  },
  {
    name: 'daemon',
    product: 'dist/main.js',
    stamp: 'dist/.built-daemon',
    sources: [
      'src',
      'locales/en.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'package.json',
      'tools/bundle-daemon.mjs',
      'tools/licences.mjs',
    ],
    without: ['src/web', ...generatedTexts],
    needs: ['messages'],
    // Types are checked by `npm run types`; without the check it needs a fifth of the memory, which matters on a small Pi.
    command: [
      'node_modules/typescript/bin/tsc',
      '-p',
      'tsconfig.build.json',
      '--noCheck',
      '--singleThreaded',
    ],
    async finish() {
      const { bundleDaemon } = await import('./bundle-daemon.mjs');
      // Read as text, only when the document is asked for.
      cpSync(join(root, 'src/http/openapi/examples'), join(root, 'dist/http/openapi/examples'), {
        recursive: true,
      });
      await bundleDaemon();
    },
  },
  {
    // Vite removes types, so the page does not depend on the generated ones.
    name: 'page',
    product: 'dist/web/index.html',
    stamp: 'dist/.built-page',
    sources: [
      'src/web',
      'src/core/locales',
      'locales',
      'vite.config.ts',
      'tools/service-worker.js',
      'tools/service-worker.mjs',
      'tools/licences.mjs',
      'tools/page-texts.mjs',
      'package.json',
      'package-lock.json',
    ],
    without: ['src/web/api/generated.ts', 'src/web/locales/messages.ts', ...generatedTexts],
    needs: ['messages'],
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
  },
];

/** Time of the last change of a file or folder, `without` left out. */
function newest(path, without) {
  if (without.includes(path) || !existsSync(path)) return 0;
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name), without)));
}

function isFresh(target) {
  const stamp = join(root, target.stamp);
  const product = statSync(join(root, target.product), { throwIfNoEntry: false });
  if (!product?.size || !existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  if (target.alsoMakes?.some((path) => !existsSync(join(root, path)))) return false;
  const without = (target.without ?? []).map((path) => join(root, path));
  return target.sources.every((source) => newest(join(root, source), without) <= built);
}

const unknown = names.filter((name) => !targets.some((target) => target.name === name));
if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(', ')}.`);

const chosen = targets.filter(({ name }) => names.length === 0 || names.includes(name));
const stale = chosen.filter((target) => !ifMissing || !isFresh(target));
const needed = targets.filter(
  (target) =>
    !chosen.includes(target) &&
    stale.some(({ needs = [] }) => needs.includes(target.name)) &&
    !isFresh(target),
);
for (const target of targets) {
  if (!stale.includes(target) && !needed.includes(target)) continue;
  if (ifMissing) console.error(`Building the ${target.name} …`);
  const run = spawnSync(process.execPath, target.command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (run.status !== 0) process.exit(run.status ?? 1);
  await target.finish?.();
  mkdirSync(join(root, 'dist'), { recursive: true });
  // After a power cut the stamp must not exist while the files it stands for are empty.
  spawnSync('sync', ['-f', join(root, 'dist')]);
  writeFileSync(join(root, target.stamp), '');
}
const main = join(root, 'dist/main.js');
if (existsSync(main)) chmodSync(main, 0o755);
