// The program with everything it needs, as it is installed in /usr/lib/tapster.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryFaults, stripBinaries } from './binaries.mjs';
import { installLibraries } from './libraries.mjs';
import { fetchPinned, nodePin, pins, unpack } from './pinned.mjs';
import { removeUnreached } from './reached-modules.mjs';
import { completeSbom, thirdPartyText } from './sbom.mjs';

/** Folders and files of the checkout that the program reads, or that its user does. */
const parts = ['dist', 'docs', 'hardware', 'locales', 'LICENSE', 'CHANGELOG.md', 'README.md'];

/** Makes the payload of one architecture from a built checkout; returns the stripper that was used. */
export function makePayload({ source, payload, architecture, version, commit, timestamp, scratch }) {
  const { sbom, manifest } = installLibraries(source, payload, architecture);
  addNode(payload, architecture, scratch);
  for (const part of parts) cpSync(join(source, part), join(payload, part), { recursive: true });
  for (const name of readdirSync(join(payload, 'dist')))
    if (name.startsWith('.built-')) rmSync(join(payload, 'dist', name));
  removeUnreached(join(payload, 'dist'));
  // Of the page, for the README on the web.
  rmSync(join(payload, 'docs/pictures'), { recursive: true });
  writeJson(join(payload, 'package.json'), { ...manifest, version, engines: { node: pins.node.version } });
  writeJson(join(payload, 'build.json'), { version, commit, architecture });
  const list = completeSbom(sbom, {
    packages: join(payload, 'node_modules'),
    name: manifest.name,
    version,
    commit,
    timestamp,
    architecture,
  });
  writeJson(join(payload, 'sbom.json'), list);
  writeFileSync(join(payload, 'THIRD-PARTY.md'), thirdPartyText(list, payload));
  const stripper = stripBinaries(payload, architecture);
  const faults = binaryFaults(payload, architecture);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return stripper;
}

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

function addNode(payload, architecture, scratch) {
  const unpacked = join(scratch, `node-${architecture}`);
  unpack(fetchPinned(nodePin(architecture)), unpacked);
  mkdirSync(join(payload, 'bin'), { recursive: true });
  cpSync(join(unpacked, 'bin/node'), join(payload, 'bin/node'));
  cpSync(join(unpacked, 'LICENSE'), join(payload, 'LICENSE.node'));
  rmSync(unpacked, { recursive: true });
}

/** Loads every library and prints the version with the payload's own Node.js, which is possible on its own processor only. */
export function tryPayload(payload) {
  const node = join(payload, 'bin/node');
  const load = `import { readFileSync } from 'node:fs';
    const names = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies);
    // Another library needs it to be loaded before.
    if (names.includes('reflect-metadata')) await import('reflect-metadata');
    for (const name of names) {
      const library = await import(name);
      if (name === 'better-sqlite3') new library.default(':memory:').close();
    }`;
  execFileSync(node, ['--input-type=module', '-e', load], {
    cwd: payload,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  execFileSync(node, ['dist/main.js', '--version'], { cwd: payload, stdio: ['ignore', 'ignore', 'inherit'] });
}
