#!/usr/bin/env node
// Shows that an extension can be deleted: copies the tree without its folders, its texts, its examples and its entries in the
// two lists, and runs types, lint and the tests of what is left. `all` deletes every extension; further arguments choose the
// test files.
//
//   npm run test:without kiosk
//   npm run test:without all test/engine test/store
//   npm run test:without -- --quick all test/engine   without lint, and without property tests: they say the same of both trees
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const options = process.argv.slice(2);
const isQuick = options[0] === '--quick';
const [name, ...tests] = isQuick ? options.slice(1) : options;
const source = join(root, 'tools/extension-facts.mjs');
const { module } = await runnerImport(source, { root, configFile: false, logLevel: 'error' });
const removed = module.facts.filter((one) => name === 'all' || one.name === name);
if (removed.length === 0) {
  console.error(`Name an extension: all, ${module.facts.map((one) => one.name).join(', ')}.`);
  process.exit(64);
}

const copy = mkdtempSync(join(tmpdir(), 'tapster-without-'));
// Tests call commands as another user.
chmodSync(copy, 0o755);
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
});
const kept = files.split('\0').filter((path) => path !== '' && !isOfRemoved(path));
for (const file of kept) {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  cpSync(join(root, file), join(copy, file));
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

// The two lists.
for (const list of ['src/extensions/all.ts', 'src/extensions/pages.ts']) edit(list, withoutEntries);
// Texts and examples.
const locales = execFileSync('git', ['ls-files', 'locales/*.json'], { cwd: root, encoding: 'utf8' });
for (const file of locales.trim().split('\n')) editJson(file, 2, (key) => !isTextOfRemoved(key));
const operations = new Set(removed.flatMap((one) => one.operations));
editJson('src/http/openapi/examples/current.json', 1, (id) => !operations.has(id));

run('node', 'tools/build.mjs', 'messages', 'client');
run('node', 'tools/third-party.mjs');
run('npm', 'run', '--silent', 'types');
if (!isQuick) {
  run('npx', 'biome', 'format', '--write', 'src/extensions');
  run('npx', 'biome', 'check', '--error-on-warnings', '.');
}
run('node', 'tools/build.mjs', 'daemon', 'page');
run('node', 'tools/config-table.mjs');
run('env', 'TAPSTER_WRITE_TABLES=1', 'npx', 'vitest', 'run', 'test/core/alarms/alarm-kinds.test.ts');
// Their texts list the addresses of all features, and their ids count what extensions record.
if (tests.length === 0 || tests.some((path) => path.startsWith('test/http')))
  run('env', 'TAPSTER_WRITE_EXAMPLES=1', 'npx', 'vitest', 'run', 'test/http/openapi/examples.test.ts');
run('npx', 'vitest', 'run', ...(isQuick ? kept.filter(isQuickTest) : tests));

function isOfRemoved(path) {
  return removed.some((one) => /^(src|test)\/extensions\/([^/]+)\//.exec(path)?.[2] === one.name);
}

function isQuickTest(path) {
  return tests.some((start) => path.startsWith(start)) && /(?<!\.property|\.nightly)\.test\.ts$/.test(path);
}

function isTextOfRemoved(key) {
  return removed.some(({ texts }) => texts.some((start) => key.startsWith(start)));
}

/** Removes the import of each removed extension and its name from the list. */
function withoutEntries(text) {
  let left = text;
  for (const one of removed) {
    const entry = new RegExp(`import \\{ (\\w+) \\} from '\\./${one.name}/[^']+';\\n`).exec(left);
    if (entry === null) continue;
    left = left.replace(entry[0], '');
    left = left.replace(new RegExp(`(?<=[[\\s])${entry[1]}(?:, |,(?=\\n)|(?=\\]))`), '').replace(', ]', ']');
  }
  return left;
}

function edit(file, change) {
  const path = join(copy, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

function editJson(file, indent, keeps) {
  edit(file, (text) => {
    const entries = Object.entries(JSON.parse(text)).filter(([key]) => keeps(key));
    return `${JSON.stringify(Object.fromEntries(entries), null, indent)}\n`;
  });
}

function run(...command) {
  console.log(`> ${command.join(' ')}`);
  const { status } = spawnSync(command[0], command.slice(1), { cwd: copy, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
