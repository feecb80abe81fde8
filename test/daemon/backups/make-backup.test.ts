import { readdirSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
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
