// The tree of the Debian package around the payload: unit, users, rules, control files, documents.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pins } from './pinned.mjs';

export const payloadFolder = 'usr/lib/tapster';
const current = '/var/lib/tapster-releases/current';
/** The address that the repository's commits have. */
const maintainer = 'Tapster maintainers <maintainers@users.noreply.a-seed-dc8cb958.example>';

/** The Debian form of a version: a pre-release sorts before its release. */
export const debianVersion = (version) => version.replace('-', '~');

/** The unit of the package, made of that of the checkout's installer. */
export function packageUnit(text) {
  const unit = text
    .replaceAll('/usr/bin/env node ', `${current}/bin/node `)
    .replaceAll('/opt/tapster', current);
  if (/\/usr\/bin\/env|\/opt\//.test(unit))
    throw new Error('systemd/tapster.service has a path that the package lacks.');
  return unit;
}

const scripts = ['preinst', 'postinst', 'prerm', 'postrm'];

/** Adds everything but the payload to `tree`. */
export function makeDebianTree({ source, tree, architecture, version, epoch }) {
  const packaging = join(source, 'packaging');
  const put = (path, text, mode = 0o644) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text, { mode });
    chmodSync(join(tree, path), mode);
  };
  const copy = (from, path) => put(path, readFileSync(join(source, from)));
  copy('systemd/60-tapster.rules', 'usr/lib/udev/rules.d/60-tapster.rules');
  copy('systemd/tapster.sysusers', 'usr/lib/sysusers.d/tapster.conf');
  copy('systemd/tapster.tmpfiles', 'usr/lib/tmpfiles.d/tapster.conf');
  put(
    'usr/lib/systemd/system/tapster.service',
    packageUnit(readFileSync(join(source, 'systemd/tapster.service'), 'utf8')),
  );
  for (const name of readdirSync(join(source, 'systemd')).filter((one) =>
    /^tapster-(?:updater\.(?:service|path|timer)|install\.service)$/.test(one),
  ))
    copy(`systemd/${name}`, `usr/lib/systemd/system/${name}`);
  put('usr/bin/tapster', readFileSync(join(packaging, 'debian/tapster')), 0o755);
  const announcement = readFileSync(join(packaging, 'avahi/tapster.service'), 'utf8');
  put('usr/share/tapster/avahi.service', announcement.replace('@VERSION@', version));
  putDocuments({ source, put, version, epoch });
  for (const script of scripts) {
    const text = readFileSync(join(packaging, 'debian', script), 'utf8').replaceAll('@VERSION@', version);
    put(`DEBIAN/${script}`, text, 0o755);
  }
  setModes(join(tree, 'usr'));
  const files = listFiles(join(tree, 'usr'));
  const sums = files.map((file) => `${md5(join(tree, 'usr', file))}  usr/${file}\n`);
  put('DEBIAN/md5sums', sums.join(''));
  // As dpkg-gencontrol counts: files rounded up to KiB, and one KiB for each folder.
  const size = listSizes(join(tree, 'usr'));
  put('DEBIAN/control', controlText({ architecture, version, size }));
  return size;
}

function controlText({ architecture, version, size }) {
  return `Package: tapster
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${size}
Depends: libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, init-system-helpers (>= 1.52), systemd
Recommends: avahi-daemon
Suggests: unattended-upgrades
Section: misc
Priority: optional
Description: counts the beer that a bar's taps pour
 Tapster counts the ticks of flow meters on the pins of a Raspberry Pi,
 turns them into drinks and stores them in a database on the Pi. A local web
 page shows taps, kegs and drinks live; no internet connection is needed.
 .
 The package contains its own Node.js ${pins.node.version} and all libraries.
`;
}

function putDocuments({ source, put, version, epoch }) {
  const date = new Date(epoch * 1_000).toUTCString().replace('GMT', '+0000');
  const changes = `tapster (${debianVersion(version)}) stable; urgency=medium

  * See /usr/lib/tapster/CHANGELOG.md.

 -- ${maintainer}  ${date}
`;
  const documents = 'usr/share/doc/tapster';
  // Without a time and a file name, so that two builds are equal.
  put(`${documents}/changelog.gz`, gzipSync(changes, { level: 9 }));
  const licence = readFileSync(join(source, 'LICENSE'), 'utf8').trim().split('\n');
  const copyright = readFileSync(join(source, 'packaging/debian/copyright'), 'utf8');
  const text = licence.slice(2).map((line) => (line === '' ? ' .' : ` ${line}`));
  put(`${documents}/copyright`, copyright.replace('@MIT@', text.join('\n').trimStart()));
  put(
    'usr/share/lintian/overrides/tapster',
    readFileSync(join(source, 'packaging/debian/lintian-overrides')),
  );
}

/** All paths of files below a folder, sorted. */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function listSizes(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) =>
      entry.isFile() ? Math.ceil(statSync(join(entry.parentPath ?? entry.path, entry.name)).size / 1_024) : 1,
    )
    .reduce((sum, one) => sum + one, 0);
}

/** Only programs are executable; nobody but the owner may write. */
function setModes(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setModes(path);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
    else throw new Error(`${path} is neither a file nor a folder.`);
  }
}

const isProgram = (path) => /\/usr\/bin\/[^/]+$|\/usr\/lib\/tapster\/bin\/node$/.test(path);
const md5 = (path) => createHash('md5').update(readFileSync(path)).digest('hex');

/** The folder of the .tar.gz: the payload, with what systemd and udev need. */
export function makePlainTree({ source, tree, payload }) {
  cpSync(payload, tree, { recursive: true });
  mkdirSync(join(tree, 'systemd'));
  for (const name of [
    'tapster.service',
    'tapster.sysusers',
    'tapster.tmpfiles',
    '60-tapster.rules',
    'README.md',
  ])
    copyFileSync(join(source, 'systemd', name), join(tree, 'systemd', name));
}
