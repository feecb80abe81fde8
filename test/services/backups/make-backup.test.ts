import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authorityFile, certificatesFolder } from '../../../src/services/https/certificate-files.ts';
import { fillBar } from './filled-bar.ts';

test('a backup for which the disk has no space is refused before it fills the disk', async () => {
  const bar = fillBar();
  bar.store.close();
  // 2 TB without content: a file larger than the free space of any test machine's disk.
  truncateSync(bar.database, 2e12);
  await expect(bar.backUp()).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/^Only \d+ MB are free on the disk, and 4000\d\d\d MB are needed/),
  });
  expect(readdirSync(bar.backups)).toEqual([]);
});

test('a backup contains no key of HTTPS', async () => {
  const bar = fillBar();
  mkdirSync(certificatesFolder(bar.database));
  writeFileSync(authorityFile(bar.database), '{}');
  const { name } = await bar.backUp();
  const members = execFileSync('tar', ['-tzf', join(bar.backups, name!)], { encoding: 'utf8' });
  expect(members).toContain('checksums.txt');
  expect(members).not.toMatch(/https|authority/);
  bar.store.close();
});
