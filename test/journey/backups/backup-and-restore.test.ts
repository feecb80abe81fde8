import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { logInConfirmed } from '../../kit/daemon.ts';
import { backupSite, type Listed, pour, until } from './backup-site.ts';

const site = backupSite();

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('a backup made while drinks are recorded is listed, downloaded by a superuser and restored', async () => {
  const request = await site.open();
  await pour(request, 'first');
  const before = (await (await request('/api/admin/backups')).json()) as Listed;
  expect(before.result).toMatchObject({ backups: [], state: { running: null, problems: [] } });

  const accepted = await request('/api/admin/backups', { method: 'POST' });
  expect([accepted.status, await accepted.json()]).toEqual([202, { result: { started: true } }]);
  // Drinks are recorded while the backup is made.
  let poured = 0;
  const { backups } = await until(async () => {
    await pour(request, `during-${++poured}`);
    const { result } = (await (await request('/api/admin/backups')).json()) as Listed;
    expect(result.state.problems).toEqual([]);
    return result.state.running === null ? result : null;
  });
  const [backup] = backups;
  expect(backups).toHaveLength(1);
  expect(backup).toMatchObject({ occasion: 'manual' });

  expect((await fetch(`${site.daemon.url}${backup!.url}`)).status).toBe(401);
  const headers = await logInConfirmed(site.daemon.url, 'anna', 'a long password');
  const byLogin = (path: string, init: RequestInit = {}) =>
    fetch(`${site.daemon.url}${path}`, { ...init, headers });
  const download = await byLogin(backup!.url);
  expect(download.headers.get('content-type')).toBe('application/gzip');
  const bytes = new Uint8Array(await download.arrayBuffer());
  const file = join(site.bar.path, 'backups', backup!.backup_name);
  expect(bytes.length).toBe(backup!.size_bytes);
  expect(sha256(bytes)).toBe(sha256(readFileSync(file)));
  expect(statSync(file).mode & 0o077).toBe(0);
  for (const name of ['..%2Ftapster.db', 'tapster.db', '%00', 'tapster-20260502T170000Z-nightly.tar.gz']) {
    expect((await byLogin(`/api/admin/backups/${name}/download`)).status).toBe(404);
    expect((await byLogin(`/api/admin/backups/${name}`, { method: 'DELETE' })).status).toBe(404);
  }

  const stick = join(site.bar.path, 'stick.tar.gz');
  writeFileSync(stick, bytes);
  expect((await byLogin(`/api/admin/backups/${backup!.backup_name}`, { method: 'DELETE' })).status).toBe(200);
  expect(existsSync(file)).toBe(false);

  const whileRunning = await site.tapster('restore', stick);
  expect([whileRunning.code, whileRunning.err]).toEqual([69, expect.stringContaining('stop it first')]);
  await pour(request, 'last');
  await site.daemon.stop();
  const tampered = join(site.bar.path, 'tampered.tar.gz');
  writeFileSync(tampered, bytes.subarray(0, bytes.length - 20));
  const databaseHash = sha256(readFileSync(site.bar.database));
  const refused = await site.tapster('restore', tampered);
  expect([refused.code, refused.err]).toEqual([65, expect.stringContaining('damaged')]);
  expect(sha256(readFileSync(site.bar.database))).toBe(databaseHash);
  expect((await site.tapster('restore', join(site.bar.path, 'nothing.tar.gz'))).code).toBe(66);

  const restored = await site.tapster('restore', stick);
  expect(restored).toMatchObject({ code: 0, out: '' });
  const aside = /former one is in (\S+)\./.exec(restored.err)![1]!;
  const count = (database: string) => {
    const db = new Sqlite(database, { readonly: true });
    const drinks = db.prepare<[], number>('SELECT count(*) FROM drinks').pluck().get()!;
    db.close();
    return drinks;
  };
  expect(count(join(aside, 'tapster.db'))).toBe(poured + 2);
  expect(count(site.bar.database)).toBeLessThan(poured + 2);
  await site.start();
  expect((await fetch(`${site.daemon.url}/api/drinks`)).status).toBe(200);
});
