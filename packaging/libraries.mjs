// The production packages of one architecture: those of package-lock.json without better-sqlite3, which is replaced by the
// pinned version, and without the optional pin drivers, which have to be compiled.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fetchPinned, npmProcessors, sqlitePin, unpack } from './pinned.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Packages that are installed as dependencies and never loaded by the daemon, with the reason. */
const unusedPackages = {
  '@scarf': 'reports installations to its makers',
  '@types': 'types for the compiler',
  'undici-types': 'types for the compiler',
  'node-addon-api': 'headers for the C++ compiler',
  '@zxcvbn-ts/dictionary-compression': 'unpacks lists that the daemon reads unpacked',
  '.bin': 'commands of packages',
  '.package-lock.json': 'a copy of the lock file of npm',
};

/** Files that are never loaded, by name. Licences and notices are kept. */
const unusedFile =
  /\.(?:map|[cm]?ts|tsbuildinfo|md|markdown|[ch]|cc|cpp|hh|hpp|gyp|gypi|yml|yaml|flow|coffee|html)$|^(?:\.npmignore|\.eslintrc.*|\.editorconfig|\.nycrc|\.travis.*|\.gitattributes|makefile|tsconfig.*\.json|biome\.json)$/i;
const unusedFolder =
  /^(?:\.husky|test|tests|__tests__|example|examples|benchmark|benchmarks|\.github|coverage)$/;
const licenceFile = /^(?:licen[cs]e|copying|notice|authors)/i;

/** What the daemon serves of swagger-ui-dist, besides its package.json. */
export const swaggerFiles =
  /^(?:package\.json|index\.js|absolute-path\.js|swagger-ui\.css|swagger-ui-bundle\.js(?:\.LICENSE\.txt)?|favicon-32x32\.png|LICENSE|NOTICE)$/;

/**
 * Installs the production packages into `folder`, which gets a package.json and node_modules. Returns the list of packages by
 * `npm sbom`, as CycloneDX, before unused files are removed.
 */
export function installLibraries(source, folder, architecture) {
  mkdirSync(folder, { recursive: true });
  const manifest = readJson(join(source, 'package.json'));
  const lock = readJson(join(source, 'package-lock.json'));
  for (const one of [manifest, lock.packages['']]) {
    delete one.dependencies['better-sqlite3'];
    delete one.optionalDependencies;
    delete one.devDependencies;
  }
  // The scripts of the checkout are not for the package.
  delete manifest.scripts;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  copyFileSync(join(source, '.npmrc'), join(folder, '.npmrc'));
  const platform = ['--os=linux', `--cpu=${npmProcessors[architecture]}`, '--libc=glibc'];
  const npm = (...args) =>
    execFileSync('npm', [...args, '--omit=dev', '--loglevel=error', ...platform], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  npm('ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
  const sbom = JSON.parse(npm('sbom', '--sbom-format=cyclonedx'));
  const packages = join(folder, 'node_modules');
  addSqlite(join(packages, 'better-sqlite3'), architecture);
  prune(packages, architecture);
  rmSync(join(folder, '.npmrc'));
  rmSync(join(folder, 'package-lock.json'));
  manifest.dependencies['better-sqlite3'] = sqlitePin.version;
  manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).sort());
  delete manifest.allowScripts;
  delete manifest.scarfSettings;
  return { sbom, manifest };
}

function addSqlite(folder, architecture) {
  unpack(fetchPinned(sqlitePin), folder);
  const wanted = `linux-${npmProcessors[architecture]}`;
  const sqlite = /#define SQLITE_VERSION\s+"([\d.]+)"/.exec(
    readFileSync(join(folder, 'deps/sqlite3/sqlite3.h'), 'utf8'),
  );
  for (const part of ['deps', 'src', 'binding.gyp'])
    rmSync(join(folder, part), { recursive: true, force: true });
  keepOnly(join(folder, 'prebuilds'), (name) => name === `${wanted}.node`);
  writeFileSync(join(folder, 'SQLITE_VERSION'), `${sqlite[1]}\n`);
}

function prune(packages, architecture) {
  for (const name of Object.keys(unusedPackages))
    rmSync(join(packages, name), { recursive: true, force: true });
  const processor = npmProcessors[architecture];
  const serial = join(packages, '@serialport/bindings-cpp');
  keepOnly(join(serial, 'prebuilds'), (name) => name === `linux-${processor}`);
  keepOnly(join(serial, 'prebuilds', `linux-${processor}`), (name) => name.endsWith('.glibc.node'));
  keepOnly(join(packages, `@koromix/koffi-linux-${processor}`), (name) => !name.startsWith('musl_'));
  keepOnly(join(packages, 'koffi'), (name) => !['vendor', 'doc', 'lib', 'cnoke.cjs'].includes(name));
  keepOnly(join(packages, 'swagger-ui-dist'), (name) => swaggerFiles.test(name));
  // Of the common passwords the daemon reads the list alone.
  const commonPasswords = join(packages, '@zxcvbn-ts/language-common');
  rmSync(join(commonPasswords, 'dist'), { recursive: true });
  keepOnly(join(commonPasswords, 'src'), (name) => name === 'passwords.json');
  // Builds for browsers and for CommonJS, and a command.
  const unusedBuilds = [
    ...['mqtt/dist', 'csv-parse/dist/umd', 'csv-parse/dist/iife', 'hucre/dist/cli.mjs'],
    ...['@streamparser/json/dist/cjs', '@streamparser/json/src'],
  ];
  for (const path of unusedBuilds) rmSync(join(packages, path), { recursive: true });
  removeUnused(packages);
}

function keepOnly(folder, isKept) {
  if (!existsSync(folder)) throw new Error(`${folder} is missing: the layout of a package has changed.`);
  for (const name of readdirSync(folder)) {
    if (!isKept(name)) rmSync(join(folder, name), { recursive: true });
  }
}

function removeUnused(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (unusedFolder.test(entry.name)) rmSync(path, { recursive: true });
      else {
        removeUnused(path);
        if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
      }
    } else if (unusedFile.test(entry.name) && !licenceFile.test(entry.name)) rmSync(path);
  }
}
