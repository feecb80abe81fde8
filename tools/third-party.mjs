#!/usr/bin/env node
// Writes THIRD-PARTY.md from package-lock.json: what runs beside our own code, under which licence, and which packages
// run a script when they are installed. With --print it only prints. A licence or an install script that nobody has
// looked at ends it with a sentence.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Licences under which a bar may run, change and pass on the whole. */
const welcome = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later', // a library of its own, replaceable beside us
  'MIT',
  'MIT-0',
]);

/** Packages whose package.json says it in no form that npm knows; read in their LICENSE file. */
const readByUs = { busboy: 'MIT', streamsearch: 'MIT' };

/** Why a package may run a script when it is installed, or why it may not. */
const scriptReasons = {
  '@scarf/scarf': 'It would report the installation to its makers. Nothing here needs it.',
  '@serialport/bindings-cpp': 'Looks for its prebuilt binary, compiles without one: serial boards.',
  'better-sqlite3': 'Fetches its prebuilt binary, compiles without one: the ledger.',
  epoll: 'Compiles (optional, no prebuilt binary): edges for the `onoff` pin driver.',
  koffi: 'Looks for its prebuilt binary, compiles without one: the `cdev` pin driver.',
  pigpio: 'Compiles (optional, no prebuilt binary): the `pigpio` pin driver.',
};

const lock = json('package-lock.json').packages;
const { allowScripts } = json('package.json');

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

function licenceOf(path) {
  const licence = lock[path].license ?? readByUs[nameOf(path)];
  const terms = licence?.replace(/[()]/g, '').split(/ AND /) ?? [];
  const isWelcome =
    terms.length > 0 && terms.every((term) => term.split(' OR ').some((one) => welcome.has(one)));
  if (!isWelcome)
    refuse(
      `${nameOf(path)} is under ${licence ?? 'no licence that is told'}. Look at it, then at ${import.meta.url}.`,
    );
  return licence;
}

const table = (paths) => [
  '| Package | Version | Licence |',
  '|---|---|---|',
  ...paths
    .map((path) => `| ${nameOf(path)} | ${lock[path].version} | ${licenceOf(path)} |`)
    .sort()
    .filter((line, index, all) => line !== all[index - 1]),
];

const running = Object.keys(lock).filter((path) => path !== '' && !lock[path].dev);

/** The three ways in which a file asks for another. */
const imports = /^(?:import|export)[^'"]*?from '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm;

/** Makers of the build, which puts a few lines of theirs into the page: how its parts find each other. */
const builders = ['rolldown', 'vite'];

/** What the page's sources import, and what that needs: the build puts it into the page. */
function inThePage() {
  const files = readdirSync(join(root, 'src/web'), { recursive: true }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const found = new Set();
  const add = (name) => {
    const path = `node_modules/${name}`;
    if (found.has(path)) return;
    if (!lock[path]) refuse(`The page imports ${name}, which is not in package-lock.json.`);
    found.add(path);
    for (const needed of Object.keys(lock[path].dependencies ?? {})) add(needed);
  };
  for (const file of files) {
    const text = readFileSync(join(root, 'src/web', file), 'utf8');
    for (const [, from, bare, lazy] of text.matchAll(imports)) {
      const name = from ?? bare ?? lazy;
      if (!name.startsWith('.')) add(name.match(/^(@[^/]+\/)?[^/]+/)[0]);
    }
  }
  return [...found, ...builders.map((name) => `node_modules/${name}`)];
}

function scripts() {
  const withScript = Object.keys(lock).filter((path) => lock[path].hasInstallScript);
  const names = [...new Set(withScript.map(nameOf))].sort();
  for (const name of [...names, ...Object.keys(allowScripts)]) {
    if (!names.includes(name)) refuse(`allowScripts names ${name}, which has no install script.`);
    if (!(name in allowScripts))
      refuse(`${name} runs a script when installed; allowScripts must say whether it may.`);
    if (!(name in scriptReasons))
      refuse(`${name} runs a script when installed; ${import.meta.url} must say why.`);
  }
  return names.map((name) => `| ${name} | ${allowScripts[name] ? 'yes' : 'no'} | ${scriptReasons[name]} |`);
}

const text = [
  '# What is not our own',
  '',
  'Written by `node tools/third-party.mjs` from package-lock.json; a test keeps it true. Each package brings its',
  'licence’s text in its own folder.',
  '',
  '## Scripts that run at `npm ci`',
  '',
  '| Package | May run | Why |',
  '|---|---|---|',
  ...scripts(),
  '',
  '## Beside the daemon',
  '',
  'For every platform; `npm ci` takes those of its own.',
  '',
  ...table(running),
  '',
  'The daemon passes on one of them, swagger-ui-dist at `/api/docs`, with what goes along: `/api/docs/LICENSE`,',
  '`/api/docs/NOTICE` and, for what is bundled in it, `/api/docs/swagger-ui-bundle.js.LICENSE.txt`.',
  '',
  '## In the page',
  '',
  'Parts of these are bundled into it. The build lays their licences beside it: `dist/web/licences.txt`, which the',
  'daemon serves at `/licences.txt`. Nothing is bundled into the daemon.',
  '',
  ...table(inThePage()),
  '',
].join('\n');

if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(join(root, 'THIRD-PARTY.md'), text);
