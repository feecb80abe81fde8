import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { joinMessages, type Problem } from '../../src/core/health/problems.ts';
import { type RunningDaemon, runCommand, startDaemon } from '../kit/daemon.ts';
import { openLiveStream } from '../kit/live-stream.ts';
import { eventually, withDatabase } from '../kit/token-bar.ts';
import { type FaultBar, fourTaps, makeFaultBar, pulse, request } from './fault-bar.ts';
import { recordMeasurement } from './measurements.ts';

let daemon: RunningDaemon | undefined;
const cleanups: (() => void)[] = [];
afterEach(async () => {
  await daemon?.kill();
  daemon = undefined;
  for (const cleanup of cleanups.splice(0).reverse()) cleanup();
});

function openBar(): FaultBar {
  const bar = makeFaultBar();
  cleanups.push(bar.remove);
  return bar;
}

/** Why this machine cannot mount a small disk; null when it can. */
const diskUnavailable = (() => {
  const directory = `/tmp/tapster-probe-${process.pid}`;
  mkdirSync(directory);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]);
  if (status === 0) execFileSync('umount', [directory]);
  rmSync(directory, { recursive: true });
  return status === 0 ? null : 'only root may mount a small disk';
})();
const straceUnavailable = spawnSync('strace', ['-V']).status === 0 ? null : 'strace is not installed';

/** A bar with its database on a separate tmpfs of `mib` mebibytes. */
function barOnSmallDisk(mib: number) {
  const bar = makeFaultBar();
  const disk = join(bar.path, 'disk');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', disk]);
  cleanups.push(bar.remove, () => execFileSync('umount', ['-l', disk]));
  const database = join(disk, 'tapster.db');
  for (const name of readdirSync(bar.path).filter((one) => one.startsWith('tapster.db'))) {
    writeFileSync(join(disk, name), readFileSync(join(bar.path, name)));
  }
  const config = { ...fourTaps, database, onewire: { directory: join(bar.path, 'w1') } };
  writeFileSync(bar.configFile, JSON.stringify(config));
  return {
    ...bar,
    database,
    disk,
    mount: (how: string) => execFileSync('mount', ['-o', `remount,${how}`, disk]),
  };
}

async function health(url: string): Promise<{ status: number; parts: Record<string, string> }> {
  const answer = await fetch(`${url}/healthz`);
  const { parts } = (await answer.json()) as { parts: Record<string, string> };
  return { status: answer.status, parts };
}

async function waitForProblem(url: string, key: string, pattern: RegExp) {
  const reply = await eventually(
    () => health(url),
    ({ status, parts }) => status === 503 && pattern.test(parts.storing ?? ''),
  );
  await expectPageToShow(url, key, pattern);
  return reply;
}

/** Waits until the page shows a problem to staff: in the live stream, or as the 503 page while the database is closed. */
async function expectPageToShow(url: string, key: string, pattern: RegExp): Promise<void> {
  const page = await fetch(url);
  const text = await page.text();
  if (page.status === 503) return expect(text).toMatch(pattern);
  const live = await openLiveStream(url, key);
  try {
    const problemShown = live.until(
      (message) =>
        message.event === 'snapshot' &&
        message.data.problems.some(({ problems }) => pattern.test(joinMessages(problems as Problem[]) ?? '')),
    );
    await Promise.race([
      problemShown,
      pause(10_000).then(() => Promise.reject(new Error('The page shows no such problem.'))),
    ]);
  } finally {
    live.close();
  }
}
const waitUntilHealthy = (url: string) =>
  eventually(
    () => health(url),
    ({ status }) => status === 200,
  );

const readDrinks = (database: string) =>
  withDatabase(database, (engine, store) => ({
    ticks: engine.drinks
      .newest(1_000)
      .map(({ ticks }) => ticks)
      .sort((a, b) => a - b),
    integrityErrors: [...store.faults(), ...engine.site.checkDatabase()],
  }));

const waitForDrinks = (database: string, ticks: readonly number[]) =>
  eventually(
    async () => readDrinks(database).ticks,
    (found) => JSON.stringify(found) === JSON.stringify(ticks),
  );

/** Kills the daemon during a pour on the second tap, so that the journal holds an interrupted pour. */
async function pourAndKill(): Promise<void> {
  await pulse(daemon!.url, 'pi.flow1', 5_000, 500);
  await pause(2_500);
  await daemon!.kill();
}

/** Waits for drinks of these tick counts and the interrupted pour, once. */
const waitForDrinksAndInterrupted = (database: string, ticks: readonly number[]) =>
  eventually(
    async () => readDrinks(database).ticks,
    (found) => {
      const rest = [...found];
      for (const one of ticks) if (rest.includes(one)) rest.splice(rest.indexOf(one), 1);
      return found.length === ticks.length + 1 && rest.length === 1 && rest[0]! > 100 && rest[0]! <= 5_000;
    },
  );

const sha256 = (file: string) =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : null;

/** Fills a disk to the last byte. */
function fillDisk(disk: string): () => void {
  const file = join(disk, 'filler');
  const fd = openSync(file, 'w');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 4)) {
    try {
      for (;;) writeSync(fd, Buffer.alloc(size));
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'ENOSPC') throw fault;
    }
  }
  closeSync(fd);
  return () => rmSync(file);
}

test.runIf(diskUnavailable === null)(
  'on a full disk every pour is counted and waits, also across a power cut, until space is free',
  async (context) => {
    const bar = barOnSmallDisk(24);
    daemon = await startDaemon(bar);
    await pulse(daemon.url, 'pi.flow0', 100, 300);
    await waitForDrinks(bar.database, [100]);
    const freeSpace = fillDisk(bar.disk);
    // Some commits still fit into the existing WAL file; pours go on until it is full.
    const expectedTicks: number[] = [100];
    for (let n = 0; n < 200; n++) {
      await pulse(daemon.url, 'pi.flow0', 101 + n, 1_000 / 1.5);
      expectedTicks.push(101 + n);
      await pause(((101 + n) * 1_000) / 666 + 450);
      if ((await health(daemon.url)).status === 503) break;
    }
    const { parts } = await waitForProblem(daemon.url, bar.key, /wait.*disk is full/i);
    expect(parts.counting).toBe('ok');
    await pourAndKill();
    daemon = await startDaemon(bar);
    await waitForProblem(daemon.url, bar.key, /./);
    freeSpace();
    await waitUntilHealthy(daemon.url);
    await waitForDrinksAndInterrupted(bar.database, expectedTicks);
    expect(readDrinks(bar.database).integrityErrors).toEqual([]);
    recordMeasurement(context, {
      what: 'Full: pours counted, waiting and stored when space was free',
      found: `${expectedTicks.length + 1}`,
    });
  },
);

test.runIf(diskUnavailable === null)(
  'on a disk that is read-only from the start every pour is counted, and stored once it is writable',
  async (context) => {
    const bar = barOnSmallDisk(24);
    daemon = await startDaemon(bar);
    await pourAndKill();
    bar.mount('ro');
    daemon = await startDaemon(bar);
    await waitForProblem(daemon.url, bar.key, /read-only|disk/i);

    expect((await health(daemon.url)).parts.counting).toBe('ok');
    bar.mount('rw');
    await waitUntilHealthy(daemon.url);
    await waitForDrinksAndInterrupted(bar.database, []);
    recordMeasurement(context, {
      what: 'Read-only: pours counted, waiting and stored when it was writable',
      found: '1 of 1',
    });
  },
);

/** Makes the fsync calls of a process slow or fail by strace, until `stopInjection`. */
async function injectFaults(pid: number, how: string): Promise<ChildProcess> {
  const calls = 'fsync,fdatasync';
  const tracer = spawn('strace', [
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-p',
    `${pid}`,
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:${how}`,
  ]);
  await pause(500);
  if (tracer.exitCode !== null) throw new Error('strace could not attach to the daemon.');
  return tracer;
}

async function stopInjection(tracer: ChildProcess): Promise<void> {
  const exited = new Promise((resolve) => tracer.once('exit', resolve));
  tracer.kill('SIGINT');
  await exited;
}

test.runIf(straceUnavailable === null)(
  'a card that needs 2 s for each fsync delays the drinks and loses no tick',
  async (context) => {
    const bar = openBar();
    daemon = await startDaemon(bar);
    const tracer = await injectFaults(daemon.child.pid!, 'delay_exit=2000000');
    await pulse(daemon.url, 'pi.flow0', 900, 300);
    await pulse(daemon.url, 'pi.flow1', 700, 250);
    await pause(6_000);
    await stopInjection(tracer);
    await waitUntilHealthy(daemon.url);
    await waitForDrinks(bar.database, [700, 900]);
    recordMeasurement(context, { what: 'Slow, 2 s for each fsync: ticks counted', found: '1600 of 1600' });
  },
);

test.runIf(straceUnavailable === null)(
  'I/O errors of the card are reported, and the pour is stored when they end',
  async (context) => {
    const bar = openBar();
    daemon = await startDaemon(bar);
    const tracer = await injectFaults(daemon.child.pid!, 'error=EIO');
    await pulse(daemon.url, 'pi.flow0', 400, 400);
    const { parts } = await waitForProblem(daemon.url, bar.key, /wait/);
    expect(parts.counting).toBe('ok');
    await stopInjection(tracer);
    await waitUntilHealthy(daemon.url);
    await waitForDrinks(bar.database, [400]);
    expect(readDrinks(bar.database).integrityErrors).toEqual([]);
    recordMeasurement(context, {
      what: 'I/O error for each fsync: pours stored after the errors ended',
      found: '1 of 1',
    });
  },
);

/** A bar with one drink in a backup, one recorded since, and one interrupted pour. */
async function barWithBackup(): Promise<{ bar: FaultBar; backup: string }> {
  const bar = openBar();
  daemon = await startDaemon(bar);
  const post = (pourId: string) =>
    request(daemon!.url, bar, '/api/v1/taps/pi.flow0', { ticks: 100, pour_id: pourId });
  expect((await post('yesterday')).status).toBe(200);
  const created = await runCommand(['backup', '--config', bar.configFile]);
  expect(created.code, created.err).toBe(0);
  expect((await post('today')).status).toBe(200);
  await pourAndKill();
  return { bar, backup: created.out.trim().split('/').at(-1)! };
}

test.for([
  [
    'with an overwritten header and without its WAL',
    (file: string) => {
      // SQLite would repair the file from the pages in the WAL.
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      overwrite(file, 0, 4_096);
    },
  ],
  ['truncated to 0 bytes', (file: string) => truncateSync(file, 0)],
] as const)(
  'a database %s is left unchanged, the newest backup is named, and the interrupted pour is stored after the restore',
  async ([how, damage], context) => {
    const { bar, backup } = await barWithBackup();
    damage(bar.database);
    const before = sha256(bar.database);
    daemon = await startDaemon(bar);
    const { parts } = await waitForProblem(
      daemon.url,
      bar.key,
      new RegExp(`newest backup.*tapster restore ${backup}|tapster restore ${backup}.*newest backup`),
    );
    expect(parts.counting).toBe('ok');
    expect(JSON.stringify(parts)).not.toContain(dirname(bar.database));

    // The daemon retries the open meanwhile and must not change the file.
    await pause(5_500);
    expect(sha256(bar.database)).toBe(before);
    expect(await daemon.stop()).toBe(0);
    expect(sha256(bar.database)).toBe(before);

    const restored = await runCommand(['restore', backup, '--config', bar.configFile]);
    expect(restored.code, restored.err).toBe(0);
    const setAside = readdirSync(bar.path).find((name) => name.startsWith('set-aside-'))!;
    expect(sha256(join(bar.path, setAside, 'tapster.db'))).toBe(before);
    daemon = await startDaemon(bar);
    await waitUntilHealthy(daemon.url);
    await waitForDrinksAndInterrupted(bar.database, [100]);
    expect(readDrinks(bar.database).integrityErrors, how).toEqual([]);
    recordMeasurement(context, {
      what: `A database ${how}: left unchanged, the backup offered and restored`,
      found: 'yes',
    });
  },
);

test('a database damaged in its middle is reported, is not overwritten, and the interrupted pour waits', async (context) => {
  const { bar, backup } = await barWithBackup();
  const { size } = statSync(bar.database);
  overwrite(bar.database, 4_096, size - 4_096);
  const files = [bar.database, `${bar.database}-wal`];
  const before = files.map(sha256);
  expect(before).not.toContain(null);
  daemon = await startDaemon(bar);
  await waitForProblem(daemon.url, bar.key, new RegExp(`damaged.*${backup}`));

  // A checkpoint on close would write the WAL into the damaged file.
  expect(await daemon.stop()).toBe(0);
  expect(files.map(sha256)).toEqual(before);
  expect((await runCommand(['restore', backup, '--config', bar.configFile])).code).toBe(0);
  const setAside = readdirSync(bar.path).find((name) => name.startsWith('set-aside-'))!;
  expect(['', '-wal'].map((suffix) => sha256(join(bar.path, setAside, `tapster.db${suffix}`)))).toEqual(
    before,
  );
  recordMeasurement(context, {
    what: 'A database damaged in its middle: reported, set aside byte for byte',
    found: 'yes',
  });
  daemon = await startDaemon(bar);
  await waitUntilHealthy(daemon.url);
  await waitForDrinksAndInterrupted(bar.database, [100]);
});

test('a database of a newer version is reported and left unchanged, and the interrupted pour waits for that version', async (context) => {
  const bar = openBar();
  daemon = await startDaemon(bar);
  await pourAndKill();
  const db = new Sqlite(bar.database);
  const version = db.pragma('user_version', { simple: true });
  db.exec('PRAGMA user_version = 999; UPDATE schema_info SET compatible_from = 999');
  db.close();
  const before = sha256(bar.database);
  daemon = await startDaemon(bar);
  const { parts } = await waitForProblem(daemon.url, bar.key, /newer Tapster/);
  expect(parts.counting).toBe('ok');

  expect(await daemon.stop()).toBe(0);
  expect(sha256(bar.database)).toBe(before);
  const upgraded = new Sqlite(bar.database);
  upgraded.pragma(`user_version = ${version}`);
  upgraded.close();
  daemon = await startDaemon(bar);
  await waitUntilHealthy(daemon.url);
  await waitForDrinksAndInterrupted(bar.database, []);
  recordMeasurement(context, {
    what: 'A database of a newer version: unchanged, the pour stored by that version',
    found: 'yes',
  });
});

function overwrite(file: string, at: number, length: number): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, Buffer.alloc(length, 0xa5), 0, length, at);
  closeSync(fd);
}

test('lists the tests that this machine cannot run', (context) => {
  for (const [what, why] of [
    ['Full and read-only', diskUnavailable],
    ['Slow and failing', straceUnavailable],
  ] as const) {
    if (why !== null) recordMeasurement(context, { what, found: 'not tried', allowed: why });
  }
  expect([null, 'only root may mount a small disk']).toContain(diskUnavailable);
});
