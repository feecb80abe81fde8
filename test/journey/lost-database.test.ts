import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type BarFolder,
  createStaffKey,
  makeBar,
  type RunningDaemon,
  runCommand,
  startDaemon,
} from '../kit/daemon.ts';

/** Long, because a busy machine starts several programs slowly. */
const timeoutMs = 120_000;

let bar: BarFolder;
let archive = '';
let key = '';
let daemon: RunningDaemon | null = null;
/** A bar with an account and a backup that has lost its database. */
beforeEach(async () => {
  bar = makeBar();
  daemon = await startDaemon(bar);
  key = await createStaffKey(bar, 'anna');
  archive = (await tapster('backup')).out.trim();
  await daemon.stop();
  daemon = null;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${bar.database}${suffix}`, { force: true });
}, timeoutMs);
afterEach(async () => {
  await daemon?.kill();
  bar.remove();
});

const tapster = (...args: readonly string[]) => runCommand([...args, '--config', bar.configFile]);

const lost = /The database file is missing, although .*“tapster new-site” starts a new bar/;

test(
  'no new site starts: health says what to do, and the set-up is not offered',
  async () => {
    daemon = await startDaemon(bar);
    const health = await fetch(`${daemon.url}/healthz`);
    expect(health.status).toBe(503);
    expect(await health.text()).toMatch(/tapster restore tapster-/);
    // A new site would answer 409, "finish the set-up", and offer it.
    expect((await fetch(`${daemon.url}/api/taps`)).status).toBe(503);
    expect(existsSync(bar.database)).toBe(false);
    await daemon.stop();
    daemon = null;

    expect(await tapster('restore', archive)).toMatchObject({ code: 0 });
    daemon = await startDaemon(bar);
    const anna = await fetch(`${daemon.url}/api/users/anna`, { headers: { 'X-Api-Key': key } });
    expect(anna.status, await anna.text()).toBe(200);
  },
  timeoutMs,
);

test(
  'every command says so',
  async () => {
    for (const command of [
      ['check'],
      ['check', '--for-update'],
      ['export', 'drinks'],
      ['backup'],
      ['key', 'create', 'anna'],
    ]) {
      const { code, err } = await tapster(...command);
      expect(code, command.join(' ')).toBe(69);
      expect(err).toMatch(lost);
    }
    const doctor = await tapster('doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(lost);
    const list = await tapster('restore');
    expect(list.out).toContain(basename(archive));
    expect(list.err).toMatch(lost);
    expect(readdirSync(bar.path)).not.toContain(basename(bar.database));
  },
  timeoutMs,
);

test(
  'a new site starts when it is asked for, and not while the daemon holds the database',
  async () => {
    daemon = await startDaemon(bar);
    const missing = join(bar.path, 'stick', 'a');
    const elsewhere = makeBar({ database: join(missing, 'tapster.db') });
    expect(await runCommand(['new-site', '--config', elsewhere.configFile])).toMatchObject({
      code: 73,
      err: expect.stringContaining('is its disk plugged in?'),
    });
    expect(existsSync(missing)).toBe(false);
    elsewhere.remove();
    const refused = await tapster('new-site');
    expect(refused).toMatchObject({ code: 69, err: expect.stringMatching(/daemon runs .* stop it first/) });
    expect(existsSync(`${bar.database}.new-site`)).toBe(false);
    await daemon.stop();
    expect(await tapster('new-site')).toMatchObject({ code: 0 });
    daemon = await startDaemon(bar);
    expect((await fetch(`${daemon.url}/healthz`)).status).toBe(200);
    expect(existsSync(`${bar.database}.new-site`)).toBe(false);
    expect((await tapster('new-site')).code).toBe(65);
  },
  timeoutMs,
);

test(
  'a backup that is restored after a new site was asked for is no new site: its loss is told again',
  async () => {
    expect(await tapster('new-site')).toMatchObject({ code: 0 });
    expect(await tapster('restore', archive)).toMatchObject({ code: 0 });
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${bar.database}${suffix}`, { force: true });
    const { code, err } = await tapster('check');
    expect(code).toBe(69);
    expect(err).toMatch(lost);
  },
  timeoutMs,
);
