import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBar, quickBar } from '../../kit/daemon.ts';
import { backupSite, type Listed, pour } from './backup-site.ts';

const site = backupSite();

test('a large backup is uploaded to a new site or found on its USB stick', async () => {
  const request = await site.open();
  await pour(request, 'one');
  await site.daemon.stop();
  const db = new Sqlite(site.bar.database);
  const note = db.prepare(
    `INSERT INTO audit_entries (time_ms, via, action, subject_kind, subject_id, after)
     VALUES (0, 'console', 'site.changed', 'site', '1', ?)`,
  );
  db.transaction(() => {
    for (let i = 0; i < 1_200; i++)
      note.run(JSON.stringify({ notes: randomBytes(12_000).toString('base64') }));
  })();
  db.close();
  const archive = (await site.tapster('backup')).out.trim();
  expect(statSync(archive).size).toBeGreaterThan(12 * 1024 * 1024);
  const old = site.bar;

  const { demo: _demo, ...bare } = quickBar;
  mkdirSync(join(old.path, 'stick'));
  copyFileSync(archive, join(old.path, 'stick', basename(archive)));
  await site.start(makeBar({ ...bare, backups: { copy_to: join(old.path, 'stick') } }));
  const code = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(site.daemon.output)![1]!;
  const listed = await fetch(`${site.daemon.url}/api/setup/backups`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { result } = (await listed.json()) as Listed;
  expect(result.backups.map(({ backup_name: name }) => name)).toEqual([basename(archive)]);

  const sendTo = (fields: readonly (readonly [string, string | Blob])[]) => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return fetch(`${site.daemon.url}/api/setup/restore`, { method: 'POST', body });
  };
  const whole = readFileSync(archive);
  const cutOff = await sendTo([
    ['code', code],
    ['backup', new Blob([whole.subarray(0, -1_000_000)])],
  ]);
  expect([cutOff.status, await cutOff.text()]).toEqual([400, expect.stringContaining('damaged')]);
  const sent = await sendTo([
    ['code', code],
    ['backup', new Blob([whole])],
  ]);
  expect(sent.status).toBe(200);
  expect((await request('/api/drinks/1')).status).toBe(200);
  // Removed after the response.
  await expect.poll(() => readdirSync(join(site.bar.path, 'pictures', 'incoming'))).toEqual([]);
  await site.daemon.stop();

  // The same backup by its name, on another new card.
  site.bar.remove();
  await site.start(makeBar({ ...bare, backups: { copy_to: join(old.path, 'stick') } }));
  const next = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(site.daemon.output)![1]!;
  const named = await sendTo([
    ['code', next],
    ['backup_name', basename(archive)],
  ]);
  expect(named.status).toBe(200);
  expect((await request('/api/drinks/1')).status).toBe(200);
  old.remove();
}, 180_000);
