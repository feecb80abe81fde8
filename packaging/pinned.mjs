// The tarballs that the package contains besides the packages of package-lock.json: Node.js and better-sqlite3, from the npm
// registry, with the checksums of pins.json. They are kept in a cache folder.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const pins = JSON.parse(readFileSync(new URL('pins.json', import.meta.url), 'utf8'));

/** What npm calls the processors for which Debian has the names. */
export const npmProcessors = { arm64: 'arm64', amd64: 'x64' };

/** The pinned tarball of Node.js for a Debian architecture. */
export const nodePin = (architecture) => ({
  version: pins.node.version,
  ...pins.node.packages[architecture],
});

export const sqlitePin = { name: 'better-sqlite3', ...pins['better-sqlite3'] };

const cache = () => process.env.TAPSTER_PACKAGE_CACHE ?? join(homedir(), '.cache', 'tapster-package');

/** Returns the path of a pinned tarball, downloaded unless it is in the cache; throws when its checksum differs. */
export function fetchPinned({ name, version, integrity }) {
  const file = join(cache(), `${name}-${version}.tgz`);
  if (existsSync(file) && integrityOf(file) === integrity) return file;
  mkdirSync(cache(), { recursive: true });
  const folder = mkdtempSync(join(cache(), 'download-'));
  try {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, `${name}@${version}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const loaded = join(folder, `${name}-${version}.tgz`);
    const found = integrityOf(loaded);
    if (found !== integrity)
      throw new Error(
        `${name} ${version} has the checksum ${found}, but packaging/pins.json has ${integrity}.`,
      );
    renameSync(loaded, file);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const integrityOf = (file) => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/** Unpacks a tarball of npm into a folder, without the folder `package` in which its files are. */
export function unpack(tarball, folder) {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', '--no-same-owner']);
}
