// npm run repository -- --key FINGERPRINT --url https://packages.example.org/tapster
//                       [--packages FOLDER] [--out FOLDER] [--suite stable] [--component main]
//
// Adds the packages of a folder to an apt repository, signs it and writes what a bar's Pi needs to use it. The result is a folder
// of files for any web server. The signing key is taken from gpg's key ring (GNUPGHOME) and never copied.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { architectures, packagesText, releaseText, withHashes } from './indexes.mjs';
import { exportKey, sign } from './signing.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    url: { type: 'string' },
    packages: { type: 'string', default: 'dist-packages' },
    out: { type: 'string', default: 'dist-repository' },
    suite: { type: 'string', default: 'stable' },
    component: { type: 'string', default: 'main' },
  },
});
for (const name of ['key', 'url']) {
  if (values[name] === undefined) {
    console.error(`--${name} is missing. packaging/README.md has an example.`);
    process.exit(64);
  }
}
const { suite, component } = values;
const out = resolve(values.out);
const pool = join(out, 'pool', component, 't', 'tapster');
const dist = join(out, 'dists', suite);
/** Everything is written here before it replaces the present state. */
const created = `${dist}.new`;

mkdirSync(pool, { recursive: true });
addPackages();
const debs = readdirSync(pool)
  .filter((name) => name.endsWith('.deb'))
  .sort();
if (debs.length === 0)
  throw new Error(`There is no package in ${resolve(values.packages)}; make them with npm run package.`);
rmSync(created, { recursive: true, force: true });
for (const architecture of architectures) {
  const folder = join(created, component, `binary-${architecture}`);
  const text = packagesText(
    debs.map((name) => join(pool, name)),
    architecture,
    out,
  );
  withHashes(folder, 'Packages', text);
}
// A client that read the index before a change still finds the files that it names.
keepOldIndexes();
const release = releaseText({ folder: created, suite, component, date: new Date() });
writeFileSync(join(created, 'Release'), release);
const keyring = exportKey(values.key);
sign(values.key, created);
rmSync(`${dist}.old`, { recursive: true, force: true });
if (existsSync(dist)) renameSync(dist, `${dist}.old`);
renameSync(created, dist);
rmSync(`${dist}.old`, { recursive: true, force: true });
writeFileSync(join(out, 'tapster.gpg'), keyring);
writeFileSync(join(out, 'tapster.sources'), fill('tapster.sources'));
copyFileSync(join(here, '52tapster'), join(out, '52tapster'));
console.log(`${debs.length} packages in ${out}, signed with ${values.key}.`);

function addPackages() {
  const folder = resolve(values.packages);
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith('.deb')) continue;
    const file = join(folder, name);
    const target = join(pool, name);
    if (!existsSync(target)) copyFileSync(file, target);
    else if (!readFileSync(file).equals(readFileSync(target)))
      // Caches and clients rely on one content for each name.
      throw new Error(`${name} is published already with another content: give the new one a new version.`);
  }
}

function keepOldIndexes() {
  for (const architecture of architectures) {
    const path = join(component, `binary-${architecture}`, 'by-hash', 'SHA256');
    if (!existsSync(join(dist, path))) continue;
    for (const name of readdirSync(join(dist, path))) {
      if (!existsSync(join(created, path, name)))
        copyFileSync(join(dist, path, name), join(created, path, name));
    }
  }
}

function fill(name) {
  const text = readFileSync(join(here, name), 'utf8');
  return text
    .replaceAll('@URL@', values.url.replace(/\/$/, ''))
    .replaceAll('@SUITE@', suite)
    .replaceAll('@COMPONENT@', component);
}
