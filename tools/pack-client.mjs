#!/usr/bin/env node
// Makes the package of the TypeScript client, dist/client/tapster-client-<version>.tgz, from clients/typescript and the
// types that are generated from the routes. Prints the file's path.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'clients/typescript');
const staged = join(root, 'dist/client');

function run(...command) {
  const { status, stdout } = spawnSync(command[0], command.slice(1), {
    cwd: staged,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  console.error(stdout);
  process.exit(status ?? 1);
}

rmSync(staged, { recursive: true, force: true });
mkdirSync(staged, { recursive: true });
run(process.execPath, join(root, 'tools/build.mjs'), '--if-missing', 'client');
run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', source);

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
writeFileSync(join(staged, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
copyFileSync(join(source, 'README.md'), join(staged, 'README.md'));
copyFileSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
const [{ filename }] = JSON.parse(run('npm', 'pack', '--json', '--offline'));
console.log(join(staged, filename));
