// Archives whose bytes depend on the files only: fixed times, order and owner.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lutimesSync, readdirSync, readFileSync } from 'node:fs';
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

/** Packs a .deb. `isFast` compresses little, for tests. */
export function packDeb(tree, file, { epoch, isFast }) {
  // One thread: several would split the data into blocks, as many as the machine's memory permits.
  const compression = isFast ? ['-Zgzip', '-z1'] : ['-Zxz', '-z9', '--threads-max=1'];
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', tree, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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
