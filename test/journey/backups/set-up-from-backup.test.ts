import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBar, quickBar } from '../../kit/daemon.ts';
import { backupSite, pour } from './backup-site.ts';

const site = backupSite();

test('the set-up of a new site restores a backup with the code from the console', async () => {
  const request = await site.open();
  await pour(request, 'one');
  const archive = (await site.tapster('backup')).out.trim();
  await site.daemon.stop();

  const { demo: _demo, ...bare } = quickBar;
  await site.start(makeBar(bare));
  const restore = (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return fetch(`${site.daemon.url}/api/setup/restore`, { method: 'POST', body });
  };
  const backup = new Blob([readFileSync(archive)]);
  expect((await restore({ code: 'WRONGONE', backup })).status).toBe(400);
  const code = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(site.daemon.output)![1]!;
  expect((await restore({ code })).status).toBe(400);
  expect((await restore({ code, backup_name: '../../etc/passwd' })).status).toBe(404);
  expect((await restore({ code, backup: new Blob(['Prost!']) })).status).toBe(400);
  const watching = await fetch(`${site.daemon.url}/api/setup/status`);
  expect(watching.status).toBe(200);

  const restored = await restore({ code, backup });
  expect(await restored.json()).toEqual({
    result: { created_time: expect.stringMatching(/Z$/), is_doubtful: false, has_other_settings: true },
  });
  // The restored site is set up and has its drink, its staff and their keys.
  const drinks = await request('/api/drinks');
  expect([
    drinks.status,
    ((await drinks.json()) as { result: { drinks: object[] } }).result.drinks.length,
  ]).toEqual([200, 1]);
  expect((await restore({ code, backup })).status).toBe(403);
  await pour(request, 'two');
  expect(readdirSync(site.bar.path).filter((name) => name.startsWith('set-aside-'))).toHaveLength(1);
  // The settings of the old machine are kept for a person to put in place.
  const settings = JSON.parse(readFileSync(join(site.bar.path, 'restored-settings.json'), 'utf8'));
  expect([settings.demo, existsSync(site.bar.configFile)]).toEqual([quickBar.demo, true]);
  expect(await site.daemon.stop()).toBe(0);
});
