import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { extensions } from '../../../src/extensions/all.ts';
import { runArchiveJob } from '../../../src/services/backups/run-archive-job.ts';
import { shrinkPicture } from '../../../src/store/pictures/shrink-picture.ts';
import { openStore } from '../../../src/store/store.ts';
import { readTextFile } from '../../../src/system/small-files.ts';

/** Number of processes that resize pictures or work on backups, started by this process. */
function countChildren(): number {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    const parent = /^PPid:\t(\d+)$/m.exec(readTextFile(`/proc/${id}/status`) ?? '')?.[1];
    return Number(parent) === process.pid && /-child\.js/.test(readTextFile(`/proc/${id}/cmdline`) ?? '');
  }).length;
}

test('pictures and a backup that start together run one child process after the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapster-'));
  const database = join(folder, 'tapster.db');
  openStore({ file: database, extensions }).close();
  const photo = join(folder, 'photo.jpg');
  await sharp({ create: { width: 1600, height: 800, channels: 3, background: 'gold' } })
    .jpeg()
    .toFile(photo);

  let isDone = false;
  const work = Promise.all([
    ...['a', 'b'].map((name) =>
      shrinkPicture(photo, { fit: join(folder, `${name}-fit`), square: join(folder, `${name}-square`) }),
    ),
    runArchiveJob<'make'>({
      kind: 'make',
      settings: null,
      database,
      occasion: 'manual',
      serverVersion: '0.1.0',
      createdMs: 1_790_000_000_000,
      clockSynced: true,
      target: 'folder',
    }),
  ]).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    most = Math.max(most, countChildren());
    await new Promise((done) => setImmediate(done));
  }
  await work;
  expect(most).toBe(1);
});
