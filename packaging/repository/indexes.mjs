// The index files of an apt repository, as apt reads them: Packages and Release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

export const architectures = ['amd64', 'arm64'];

const hash = (algorithm, bytes) => createHash(algorithm).update(bytes).digest('hex');

/** The entries of all packages for an architecture. */
export function packagesText(files, architecture, root) {
  return files
    .filter(
      (file) =>
        execFileSync('dpkg-deb', ['-f', file, 'Architecture'], { encoding: 'utf8' }).trim() === architecture,
    )
    .map((file) => {
      const bytes = readFileSync(file);
      const fields = execFileSync('dpkg-deb', ['-f', file], { encoding: 'utf8' }).trim();
      const added = { Filename: relative(root, file), Size: bytes.length, SHA256: hash('sha256', bytes) };
      const lines = Object.entries(added).map(([name, value]) => `${name}: ${value}\n`);
      return `${fields}\n${lines.join('')}`;
    })
    .join('\n');
}

/** Writes an index, its compressed form, and both under their hashes: a change does not disturb a client that reads. */
export function withHashes(folder, name, text) {
  const byHash = join(folder, 'by-hash', 'SHA256');
  mkdirSync(byHash, { recursive: true });
  for (const [file, bytes] of [
    [name, Buffer.from(text)],
    [`${name}.gz`, gzipSync(text, { level: 9 })],
  ]) {
    writeFileSync(join(folder, file), bytes);
    writeFileSync(join(byHash, hash('sha256', bytes)), bytes);
  }
}

/**
 * The text of Release: who publishes and the hashes of all indexes. Without Valid-Until, since a Pi that is switched on after months
 * must be able to update.
 */
export function releaseText({ folder, suite, component, date }) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /^Packages/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
  const sums = files.map((file) => {
    const bytes = readFileSync(join(folder, file));
    return ` ${hash('sha256', bytes)} ${bytes.length} ${file}\n`;
  });
  return `Origin: Tapster
Label: Tapster
Suite: ${suite}
Codename: ${suite}
Date: ${date.toUTCString().replace('GMT', 'UTC')}
Architectures: ${architectures.join(' ')}
Components: ${component}
Description: Tapster, the tap counter
Acquire-By-Hash: yes
SHA256:
${sums.join('')}`;
}
