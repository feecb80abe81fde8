import { createHash, randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import {
  type BarFolder,
  logInConfirmed,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

let daemon: RunningDaemon | null = null;
let bar: BarFolder | null = null;

afterEach(async () => {
  await daemon?.kill();
  bar?.remove();
  daemon = null;
  bar = null;
});

const tapster = (...args: string[]) => runCommand([...args, '--config', bar!.configFile], { cwd: bar!.path });

async function open(
  config: object = quickBar,
): Promise<(path: string, init?: RequestInit) => Promise<Response>> {
  bar = makeBar(config);
  daemon = await startDaemon(bar);
  await runCommand(['user', 'add', 'anna', '--superuser', '--password-stdin', '--config', bar.configFile], {
    input: 'a long password\n',
  });
  const key = (await tapster('key', 'create', 'anna')).out.trim();
  return (path, init = {}) =>
    fetch(`${daemon!.url}${path}`, { ...init, headers: { 'X-Kegbot-Api-Key': key, ...init.headers } });
}

async function until<T>(poll: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const found = await poll();
    if (found !== null) return found;
    await wait(50);
  }
}

/** Reports a drink of 100 mL on the left tap over the legacy API. */
async function pour(request: Awaited<ReturnType<typeof open>>, pourId: string): Promise<void> {
  const answer = await request('/api/v1/taps/pi.flow0', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticks: 500, pour_id: pourId }),
  });
  expect(answer.status).toBe(200);
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Listed {
  result: {
    backups: { backup_name: string; size_bytes: number; url: string; occasion: string }[];
    state: { running: object | null; problems: readonly object[] };
  };
}

test('a backup made while drinks are recorded is listed, downloaded by a superuser and restored', async () => {
  const request = await open();
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

  expect((await fetch(`${daemon!.url}${backup!.url}`)).status).toBe(401);
  const headers = await logInConfirmed(daemon!.url, 'anna', 'a long password');
  const byLogin = (path: string, init: RequestInit = {}) =>
    fetch(`${daemon!.url}${path}`, { ...init, headers });
  const download = await byLogin(backup!.url);
  expect(download.headers.get('content-type')).toBe('application/gzip');
  const bytes = new Uint8Array(await download.arrayBuffer());
  const file = join(bar!.path, 'backups', backup!.backup_name);
  expect(bytes.length).toBe(backup!.size_bytes);
  expect(sha256(bytes)).toBe(sha256(readFileSync(file)));
  expect(statSync(file).mode & 0o077).toBe(0);
  for (const name of ['..%2Ftapster.db', 'tapster.db', '%00', 'tapster-20260502T170000Z-nightly.tar.gz']) {
    expect((await byLogin(`/api/admin/backups/${name}/download`)).status).toBe(404);
    expect((await byLogin(`/api/admin/backups/${name}`, { method: 'DELETE' })).status).toBe(404);
  }

  const stick = join(bar!.path, 'stick.tar.gz');
  writeFileSync(stick, bytes);
  expect((await byLogin(`/api/admin/backups/${backup!.backup_name}`, { method: 'DELETE' })).status).toBe(200);
  expect(existsSync(file)).toBe(false);

  const whileRunning = await tapster('restore', stick);
  expect([whileRunning.code, whileRunning.err]).toEqual([69, expect.stringContaining('stop it first')]);
  await pour(request, 'last');
  await daemon!.stop();
  const tampered = join(bar!.path, 'tampered.tar.gz');
  writeFileSync(tampered, bytes.subarray(0, bytes.length - 20));
  const databaseHash = sha256(readFileSync(bar!.database));
  const refused = await tapster('restore', tampered);
  expect([refused.code, refused.err]).toEqual([65, expect.stringContaining('damaged')]);
  expect(sha256(readFileSync(bar!.database))).toBe(databaseHash);
  expect((await tapster('restore', join(bar!.path, 'nothing.tar.gz'))).code).toBe(66);

  const restored = await tapster('restore', stick);
  expect(restored).toMatchObject({ code: 0, out: '' });
  const aside = /former one is in (\S+)\./.exec(restored.err)![1]!;
  const count = (database: string) => {
    const db = new Sqlite(database, { readonly: true });
    const drinks = db.prepare<[], number>('SELECT count(*) FROM drinks').pluck().get()!;
    db.close();
    return drinks;
  };
  expect(count(join(aside, 'tapster.db'))).toBe(poured + 2);
  expect(count(bar!.database)).toBeLessThan(poured + 2);
  daemon = await startDaemon(bar!);
  expect((await fetch(`${daemon.url}/api/drinks`)).status).toBe(200);
});

test('the backup command works while the daemon runs, also to a given file, and overwrites nothing', async () => {
  const request = await open();
  await pour(request, 'one');
  const archive = await tapster('backup');
  expect([archive.code, archive.err]).toEqual([0, '']);
  expect(readdirSync(join(bar!.path, 'backups'))).toEqual([archive.out.trim().split('/').at(-1)]);
  const stick = join(bar!.path, 'stick');
  mkdirSync(stick);
  const target = join(stick, 'bar.tar.gz');
  expect(await tapster('backup', '--to', target)).toMatchObject({ code: 0, out: `${target}\n` });
  expect(readdirSync(stick)).toEqual(['bar.tar.gz']);
  expect(statSync(target).mode & 0o077).toBe(0);
  const bytes = readFileSync(target);
  const again = await tapster('backup', '--to', target);
  expect([again.code, again.err]).toEqual([73, expect.stringContaining('is not overwritten')]);
  expect(readFileSync(target).equals(bytes)).toBe(true);
  expect((await tapster('backup', '--to', join(bar!.path, 'no', 'folder.tar.gz'))).code).toBe(73);
  expect(readdirSync(join(bar!.path, 'backups'))).toHaveLength(1);
});

test('a daemon killed during a backup lists no incomplete one and makes the next', async () => {
  const request = await open();
  for (let drink = 0; drink < 20; drink++) await pour(request, `drink-${drink}`);
  const folder = join(bar!.path, 'backups');
  const names = () => (existsSync(folder) ? readdirSync(folder) : []);
  for (const afterMs of [0, 40, 80, 120, 180]) {
    await request('/api/admin/backups', { method: 'POST' });
    const workFolder = await until(async () => names().find((name) => name.startsWith('.making-')) ?? null);
    await wait(afterMs);
    // Kills the daemon and its archive process, as a power cut does.
    const children = readFileSync(`/proc/${daemon!.child.pid}/task/${daemon!.child.pid}/children`, 'utf8');
    for (const child of children.trim().split(' ').filter(Boolean)) {
      try {
        process.kill(Number(child), 'SIGKILL');
      } catch {
        // The process has just ended.
      }
    }
    await daemon!.kill();
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
    daemon = await startDaemon(bar!);
    const { result } = (await (await request('/api/admin/backups')).json()) as Listed;
    expect(result.backups.map(({ backup_name: name }) => name)).toEqual(
      names()
        .filter((name) => !name.startsWith('.'))
        .sort()
        .reverse(),
    );
  }
  expect((await tapster('backup')).code).toBe(0);
  expect(names().filter((name) => name.startsWith('.'))).toEqual([]);
});

test('the set-up of a new site restores a backup with the code from the console', async () => {
  const request = await open();
  await pour(request, 'one');
  const archive = (await tapster('backup')).out.trim();
  await daemon!.stop();

  const { demo: _demo, ...bare } = quickBar;
  bar = makeBar(bare);
  daemon = await startDaemon(bar);
  const restore = (fields: Record<string, string | Blob>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return fetch(`${daemon!.url}/api/setup/restore`, { method: 'POST', body });
  };
  const backup = new Blob([readFileSync(archive)]);
  expect((await restore({ code: 'WRONGONE', backup })).status).toBe(400);
  const code = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(daemon.output)![1]!;
  expect((await restore({ code })).status).toBe(400);
  expect((await restore({ code, backup_name: '../../etc/passwd' })).status).toBe(404);
  expect((await restore({ code, backup: new Blob(['Prost!']) })).status).toBe(400);
  const watching = await fetch(`${daemon.url}/api/setup/status`);
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
  expect(readdirSync(bar.path).filter((name) => name.startsWith('set-aside-'))).toHaveLength(1);
  // The settings of the old machine are kept for a person to put in place.
  const settings = JSON.parse(readFileSync(join(bar.path, 'restored-settings.json'), 'utf8'));
  expect([settings.demo, existsSync(bar.configFile)]).toEqual([quickBar.demo, true]);
  expect(await daemon.stop()).toBe(0);
});

test('a large backup is uploaded to a new site or found on its USB stick', async () => {
  const request = await open();
  await pour(request, 'one');
  await daemon!.stop();
  const db = new Sqlite(bar!.database);
  const note = db.prepare(
    `INSERT INTO audit_entries (time_ms, via, action, subject_kind, subject_id, after)
     VALUES (0, 'console', 'site.changed', 'site', '1', ?)`,
  );
  db.transaction(() => {
    for (let i = 0; i < 1_200; i++)
      note.run(JSON.stringify({ notes: randomBytes(12_000).toString('base64') }));
  })();
  db.close();
  const archive = (await tapster('backup')).out.trim();
  expect(statSync(archive).size).toBeGreaterThan(12 * 1024 * 1024);
  const old = bar!;

  const { demo: _demo, ...bare } = quickBar;
  bar = makeBar({ ...bare, backups: { copy_to: join(old.path, 'stick') } });
  mkdirSync(join(old.path, 'stick'));
  copyFileSync(archive, join(old.path, 'stick', basename(archive)));
  daemon = await startDaemon(bar);
  const code = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(daemon.output)![1]!;
  const listed = await fetch(`${daemon.url}/api/setup/backups`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { result } = (await listed.json()) as Listed;
  expect(result.backups.map(({ backup_name: name }) => name)).toEqual([basename(archive)]);

  const sendTo = (fields: readonly (readonly [string, string | Blob])[]) => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return fetch(`${daemon!.url}/api/setup/restore`, { method: 'POST', body });
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
  await expect.poll(() => readdirSync(join(bar!.path, 'pictures', 'incoming'))).toEqual([]);
  await daemon.stop();

  // The same backup by its name, on another new card.
  bar.remove();
  bar = makeBar({ ...bare, backups: { copy_to: join(old.path, 'stick') } });
  daemon = await startDaemon(bar);
  const next = /\b([2-9A-Z]{4}-[2-9A-Z]{4})\b/.exec(daemon.output)![1]!;
  const named = await sendTo([
    ['code', next],
    ['backup_name', basename(archive)],
  ]);
  expect(named.status).toBe(200);
  expect((await request('/api/drinks/1')).status).toBe(200);
  old.remove();
}, 180_000);

test('the export command works while the daemon runs', async () => {
  const request = await open();
  await pour(request, 'one');
  const csv = await tapster('export', 'drinks');
  expect(csv.code).toBe(0);
  const [head, line] = csv.out.split('\r\n');
  expect(head).toMatch(/^id,pour_time,duration,tap_id,tap,keg_id,/);
  expect(line).toMatch(/^1,20\d\d-.*,Left,/);
  const kegs = await tapster('export', 'kegs', '--format', 'jsonl');
  expect(
    kegs.out
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toEqual([expect.objectContaining({ id: 1, state: 'on_tap' }), expect.objectContaining({ id: 2 })]);
  expect((await tapster('export', 'drinks', '--to', '2020-01-01')).out.split('\r\n')).toHaveLength(2);
  expect((await tapster('export', 'secrets')).code).toBe(64);
  expect((await tapster('export', 'drinks', '--from', 'yesterday')).code).toBe(64);
  expect((await tapster('export', 'drinks', '--format', 'xml')).code).toBe(64);
});
