import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productDirectory } from '../../src/system/product.ts';

const load = (name: string) => import(join(productDirectory, 'packaging', name));

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-archives-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('members of an archive keep their names and bytes, also of an odd length', async () => {
  const { arMembers, arArchive } = await load('archives.mjs');
  const members = [
    { name: 'debian-binary', data: Buffer.from('2.0\n') },
    { name: 'control.tar.xz', data: Buffer.from('odd') },
    { name: 'data.tar.xz', data: Buffer.alloc(6, 7) },
  ];
  const archive: Buffer = arArchive(members, 1_700_000_000);
  expect(arMembers(archive)).toEqual(members);
  expect(archive.length % 2).toBe(0);
  expect(() => arMembers(Buffer.from('PK'))).toThrow(/no archive/);
});

test.runIf(hasPrograms('dpkg-deb', 'xz'))(
  'a package has the same bytes whenever it is built, and dpkg-deb reads it for both processors',
  async () => {
    const { packDeb, setTimes } = await load('archives.mjs');
    const folder = temporaryFolder();
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
    mkdirSync(join(tree, 'usr/lib/tapster'), { recursive: true });
    writeFileSync(
      join(tree, 'DEBIAN/control'),
      'Package: tapster\nVersion: 1.2.3\nArchitecture: all\nMaintainer: Tapster <a@example.org>\nDescription: counts\n',
    );
    // Machine code, which the filter changes and restores.
    const program = readFileSync(process.execPath).subarray(0, 2 ** 20);
    writeFileSync(join(tree, 'usr/lib/tapster/program'), program);
    for (const architecture of ['arm64', 'amd64']) {
      const files = ['first.deb', 'second.deb'].map((name) => join(folder, name));
      for (const file of files) {
        setTimes(tree, 1_700_000_000);
        packDeb(tree, file, { epoch: 1_700_000_000, isFast: false, architecture });
      }
      const [first, second] = files as [string, string];
      expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
      expect(execFileSync('dpkg-deb', ['--field', first, 'Version'], { encoding: 'utf8' })).toBe('1.2.3\n');
      const unpacked = join(folder, architecture);
      execFileSync('dpkg-deb', ['--extract', first, unpacked]);
      expect(readFileSync(join(unpacked, 'usr/lib/tapster/program')).equals(program)).toBe(true);
    }
  },
);

function hasPrograms(...names: readonly string[]) {
  return names.every((name) => {
    try {
      execFileSync(name, ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}
