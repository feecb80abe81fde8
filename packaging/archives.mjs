// Archives whose bytes depend on the files only: fixed times, order and owner.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lutimesSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Sets the time of everything below a folder. */
export function setTimes(folder, epoch) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) setTimes(path, epoch);
    else lutimesSync(path, epoch, epoch);
  }
  lutimesSync(folder, epoch, epoch);
}

/** xz's filter for the machine code of a processor: addresses in jumps and calls become equal, and compress better. */
const codeFilters = { arm64: '--arm64', amd64: '--x86' };

/** Throws where the installed xz lacks the filters, before minutes are spent on building. */
export function requireXz() {
  const found = spawnSync('xz', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(found.stdout ?? '') ?? [];
  if (major === undefined || Number(major) < 5 || (Number(major) === 5 && Number(minor) < 4))
    throw new Error('The program xz 5.4 or newer is needed (package xz-utils).');
}

/**
 * Packs a .deb. dpkg-deb has no filter for machine code, so it makes the archive without compression, and xz compresses its
 * members; every xz decoder since 5.4 (Debian 12) reads them.
 */
export function packDeb(tree, file, { epoch, isFast, architecture }) {
  const compression = isFast ? ['-Zgzip', '-z1'] : ['-Znone'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (isFast) return;
  const members = arMembers(readFileSync(file)).map(({ name, data }) =>
    name.endsWith('.tar') ? { name: `${name}.xz`, data: compress(data, architecture) } : { name, data },
  );
  writeFileSync(file, arArchive(members, epoch));
}

function compress(data, architecture) {
  // One thread: several would split the data into blocks. The decoder needs as much memory as the dictionary has.
  const filters = [codeFilters[architecture], '--lzma2=preset=9e,dict=64MiB'];
  return execFileSync('xz', ['--format=xz', '--check=crc32', '--threads=1', ...filters, '--stdout'], {
    input: data,
    maxBuffer: 2 ** 29,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

const arMagic = '!<arch>\n';
const arHeaderBytes = 60;

/** The members of an archive of `ar`, as dpkg-deb writes it. */
export function arMembers(archive) {
  if (archive.toString('latin1', 0, arMagic.length) !== arMagic)
    throw new Error('This is no archive of "ar".');
  const members = [];
  for (let at = arMagic.length; at < archive.length; ) {
    const header = archive.toString('latin1', at, at + arHeaderBytes);
    const size = Number(header.slice(48, 58));
    const start = at + arHeaderBytes;
    members.push({
      name: header.slice(0, 16).trimEnd().replace(/\/$/, ''),
      data: archive.subarray(start, start + size),
    });
    at = start + size + (size % 2);
  }
  return members;
}

/** An archive of `ar` whose members belong to root and have one time. */
export function arArchive(members, epoch) {
  const parts = [Buffer.from(arMagic)];
  for (const { name, data } of members) {
    const fields = [name.padEnd(16), String(epoch).padEnd(12), '0     ', '0     ', '100644  '];
    parts.push(Buffer.from(`${fields.join('')}${String(data.length).padEnd(10)}\`\n`), data);
    if (data.length % 2 === 1) parts.push(Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

/** Packs a folder as .tar.gz. */
export function packTar(tree, file, name, { epoch, isFast }) {
  const owner = [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--format=gnu',
    '--sort=name',
    `--mtime=@${epoch}`,
  ];
  const tar = ['tar', ...owner, '-C', dirname(tree), '-cf', '-', name].join(' ');
  execFileSync('sh', ['-c', `${tar} | gzip -n -${isFast ? 1 : 9} > '${file}'`], { stdio: 'inherit' });
}

export const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
