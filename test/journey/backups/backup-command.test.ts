import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backupSite, pour } from './backup-site.ts';

const site = backupSite();

test('the backup command works while the daemon runs, also to a given file, and overwrites nothing', async () => {
  const request = await site.open();
  await pour(request, 'one');
  const archive = await site.tapster('backup');
  expect([archive.code, archive.err]).toEqual([0, '']);
  expect(readdirSync(join(site.bar.path, 'backups'))).toEqual([archive.out.trim().split('/').at(-1)]);
  const stick = join(site.bar.path, 'stick');
  mkdirSync(stick);
  const target = join(stick, 'bar.tar.gz');
  expect(await site.tapster('backup', '--to', target)).toMatchObject({ code: 0, out: `${target}\n` });
  expect(readdirSync(stick)).toEqual(['bar.tar.gz']);
  expect(statSync(target).mode & 0o077).toBe(0);
  const bytes = readFileSync(target);
  const again = await site.tapster('backup', '--to', target);
  expect([again.code, again.err]).toEqual([73, expect.stringContaining('is not overwritten')]);
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect((await site.tapster('backup', '--to', join(site.bar.path, 'no', 'folder.tar.gz'))).code).toBe(73);
  expect(readdirSync(join(site.bar.path, 'backups'))).toHaveLength(1);
});
