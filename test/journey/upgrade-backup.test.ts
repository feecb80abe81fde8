import { mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { listBackups } from '../../src/store/archive/backup-folder.ts';
import { productVersion } from '../../src/system/product.ts';
import {
  type BarFolder,
  makeBar,
  quickBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

let daemon: RunningDaemon | null = null;
let bar: BarFolder;
afterEach(async () => {
  await daemon?.kill();
  bar.remove();
  daemon = null;
});

const query = <T>(sql: string): readonly T[] => {
  const db = new Sqlite(bar.database);
  try {
    const statement = db.prepare<[], T>(sql);
    if (statement.reader) return statement.pluck().all() as T[];
    statement.run();
    return [];
  } finally {
    db.close();
  }
};
const ticks = () => query<number>('SELECT ticks FROM drinks ORDER BY id');
const storedVersion = () => query<string>('SELECT program_version FROM schema_info')[0];
const folder = () => join(bar.path, 'backups');
const listed = async () => (await listBackups(folder())).map(({ manifest }) => manifest);
const problemOf = async (part: string) => {
  const health = (await (await fetch(`${daemon!.url}/healthz`)).json()) as {
    parts: Record<string, string>;
  };
  return health.parts[part] ?? 'ok';
};

/**
 * Signals the process that makes a backup as soon as it has created its work folder, and resolves to its id. It is called
 * before the daemon starts, because the backup of a small database takes a few hundred milliseconds.
 */
function signalBackup(signal: 'SIGSTOP' | 'SIGKILL'): Promise<number> {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  return new Promise((done) => {
    const watcher = watch(folder(), (_event, name) => {
      const pid = name?.startsWith('.making-') ? findBackupProcess() : undefined;
      if (pid === undefined) return;
      process.kill(pid, signal);
      watcher.close();
      done(pid);
    });
  });
}

/** The process whose job names the bar's database. */
const findBackupProcess = (): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return command.includes('"occasion":"upgrade"') && command.includes(bar.database);
      } catch {
        // Ended meanwhile.
        return false;
      }
    });

/** A bar whose database was last opened by version 0.0.9, with a pour that a power cut interrupted. */
async function createBar(): Promise<void> {
  bar = makeBar(quickBar);
  daemon = await startDaemon(bar);
  expect(storedVersion()).toBe(productVersion());
  const pulses = await fetch(`${daemon.url}/api/simulator/pulses`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ meter: 'pi.flow0', ticks: 400, hz: 800 }),
  });
  expect(pulses.status).toBe(202);
  await expect.poll(ticks).toEqual([400]);
  await daemon.kill();
  query("UPDATE schema_info SET program_version = '0.0.9'");
}

test('a power cut during the backup before an upgrade leaves no half backup, and the next start makes it', async () => {
  await createBar();
  const stopped = signalBackup('SIGSTOP');
  daemon = await startDaemon(bar);
  const child = await stopped;
  // Counting and page run while the backup is made; the database is still the one of the version before.
  expect(await problemOf('counting')).toBe('ok');
  expect(await problemOf('storing')).toMatch(/backup is made before the upgrade from 0.0.9/);
  expect(storedVersion()).toBe('0.0.9');
  await daemon.kill();
  process.kill(child, 'SIGKILL');
  expect(await listed()).toEqual([]);

  daemon = await startDaemon(bar);
  await expect.poll(() => problemOf('storing')).toBe('ok');
  expect(await listed()).toMatchObject([
    { occasion: 'upgrade', programVersion: '0.0.9', serverVersion: productVersion() },
  ]);
  expect(storedVersion()).toBe(productVersion());
  expect((await runCommand(['restore', '--config', bar.configFile])).out).toMatch(
    /UTC {2}before an upgrade {2}version 0\.0\.9, schema 1 .*-upgrade\.tar\.gz\n$/,
  );
  expect(ticks()).toEqual([400]);
  expect(readdirSync(folder()).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a killed backup process is not started again, and the last backup before an upgrade stays', async () => {
  await createBar();
  daemon = await startDaemon(bar);
  await expect.poll(() => problemOf('storing')).toBe('ok');
  const before = await listed();
  await daemon.kill();
  query("UPDATE schema_info SET program_version = '0.0.10'");
  const killed = signalBackup('SIGKILL');
  daemon = await startDaemon(bar);
  await killed;
  await expect.poll(() => problemOf('storing')).toBe('ok');
  expect(await problemOf('backups')).toMatch(/no backup from before the upgrade/);
  expect(await listed()).toEqual(before);
  expect(before).toMatchObject([{ programVersion: '0.0.9' }]);
});
