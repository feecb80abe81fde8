import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeBar, runCommand } from '../../kit/daemon.ts';
import { backupSite, type Listed, pour, until } from './backup-site.ts';

const site = backupSite();

test('a daemon killed during a backup lists no incomplete one and makes the next', async () => {
  const request = await site.open();
  for (let drink = 0; drink < 20; drink++) await pour(request, `drink-${drink}`);
  const folder = join(site.bar.path, 'backups');
  const names = () => (existsSync(folder) ? readdirSync(folder) : []);
  for (const afterMs of [0, 40, 80, 120, 180]) {
    await request('/api/admin/backups', { method: 'POST' });
    const workFolder = await until(async () => names().find((name) => name.startsWith('.making-')) ?? null);
    await wait(afterMs);
    // Kills the daemon and its archive process, as a power cut does.
    const children = readFileSync(
      `/proc/${site.daemon.child.pid}/task/${site.daemon.child.pid}/children`,
      'utf8',
    );
    for (const child of children.trim().split(' ').filter(Boolean)) {
      try {
        process.kill(Number(child), 'SIGKILL');
      } catch {
        // The process has just ended.
      }
    }
    await site.daemon.kill();
    expect(workFolder).toMatch(/^\.making-/);
    for (const name of names().filter((one) => !one.startsWith('.'))) {
      // A file with the final name is complete.
      const listing = await runCommand([
        'restore',
        '--keep-settings',
        join(folder, name),
        '--config',
        makeBar().configFile,
      ]);
      expect(listing.code).toBe(0);
    }
    await site.start();
    const { result } = (await (await request('/api/admin/backups')).json()) as Listed;
    expect(result.backups.map(({ backup_name: name }) => name)).toEqual(
      names()
        .filter((name) => !name.startsWith('.'))
        .sort()
        .reverse(),
    );
  }
  expect((await site.tapster('backup')).code).toBe(0);
  expect(names().filter((name) => name.startsWith('.'))).toEqual([]);
});
