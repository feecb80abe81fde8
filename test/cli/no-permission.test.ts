import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram, runCommand } from '../kit/daemon.ts';
import { isRoot, letOthersEnter, runAsOther } from '../kit/other-user.ts';

/** Long, because a busy machine starts several programs slowly. */
const timeoutMs = 120_000;

/** The owner of the bar when root tests: some other user than `nobody`, who calls. */
const owner = { uid: 2, gid: 2 } as const;

let folder = '';
let home = '';
let configFile = '';
let archive = '';
/** A bar in a folder that only its owner may enter, as `/var/lib/tapster` is. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-other-'));
  letOthersEnter(folder);
  home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  configFile = join(folder, 'bar.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      database: join(home, 'bar.db'),
      gpio: { driver: 'simulated' },
      onewire: { directory: join(folder, 'w1') },
      http: { port: 1 },
    }),
  );
  const config = ['--config', configFile];
  chmodSync(configFile, 0o644);
  await runCommand(['user', 'add', 'anna', '--password-stdin', ...config], {
    input: 'a good long password\n',
  });
  archive = (await runCommand(['backup', ...config])).out.trim();
  expect(archive).toContain('.tar.gz');
  if (isRoot) for (const path of [home, ...listAll(home)]) chownSync(path, owner.uid, owner.gid);
  else chmodSync(home, 0);
}, timeoutMs);
afterAll(() => {
  chmodSync(home, 0o700);
  rmSync(folder, { recursive: true });
});

const listAll = (path: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));

const commands: readonly (readonly string[])[] = [
  ['check'],
  ['check', '--for-update'],
  ['doctor'],
  ['restore'],
  ['restore', 'tapster-20261127T040000Z-nightly.tar.gz'],
  ['export', 'drinks'],
  ['backup'],
  ['backup', '--to', '/dev/shm/never-written.tar.gz'],
  ['key', 'create', 'anna'],
  ['import', 'undo'],
  ['new-site'],
];

const callAsOther = (args: readonly string[]) =>
  runAsOther(process.execPath, [builtProgram, ...args, '--config', configFile], {
    env: { ...process.env, TAPSTER_DATABASE: '', TAPSTER_PORT: '', NOTIFY_SOCKET: '' },
  });

test(
  'every command of another user names the file, the user to call it as, and ends with 77',
  async () => {
    for (const command of commands) {
      const { code, out, err } = await callAsOther(command);
      expect(code, `${command.join(' ')}: ${out}${err}`).toBe(77);
      expect(err).toContain(`This user may not `);
      expect(err).toContain(home);
      if (isRoot) expect(err).toMatch(/It belongs to \w+, so call: sudo -u \w+ tapster /);
      expect(`${out}${err}`).not.toMatch(/There is no |disk fails|SD card/);
    }
  },
  timeoutMs,
);

test(
  'a lone file that may not be read is named too',
  async () => {
    chmodSync(home, 0o755);
    try {
      const database = join(home, 'bar.db');
      if (!isRoot) chmodSync(database, 0);
      for (const command of [
        ['check'],
        ['doctor'],
        ['export', 'drinks'],
        ['backup'],
        ['key', 'create', 'anna'],
      ]) {
        const { code, err } = await callAsOther(command);
        expect(code, `${command.join(' ')}: ${err}`).toBe(77);
        expect(err).toContain(database);
      }
      if (!isRoot) chmodSync(home, 0o555);
      const newSite = await callAsOther(['new-site']);
      expect(newSite).toMatchObject({ code: 77, err: expect.stringContaining(`may not change ${home}.`) });
    } finally {
      chmodSync(home, 0o755);
      if (!isRoot) chmodSync(join(home, 'bar.db'), 0o600);
      chmodSync(home, isRoot ? 0o700 : 0);
    }
  },
  timeoutMs,
);

test(
  'a database that may be read but not written says which of them',
  async () => {
    const database = join(home, 'bar.db');
    chmodSync(home, 0o755);
    chmodSync(database, isRoot ? 0o644 : 0o444);
    try {
      for (const command of [
        ['key', 'create', 'anna'],
        ['import', 'undo'],
      ]) {
        const { code, err } = await callAsOther(command);
        expect(code, `${command.join(' ')}: ${err}`).toBe(77);
        expect(err).toContain(`This user may not change ${database}.`);
      }
    } finally {
      chmodSync(database, 0o600);
      chmodSync(home, isRoot ? 0o700 : 0);
    }
  },
  timeoutMs,
);

test(
  'a settings file that may not be read is a matter of rights, too',
  async () => {
    chmodSync(configFile, isRoot ? 0o600 : 0);
    try {
      for (const command of ['check', 'run']) {
        const { code, err } = await callAsOther([command]);
        expect(code, `${command}: ${err}`).toBe(77);
        expect(err).toContain(`This user may not open ${configFile}.`);
      }
    } finally {
      chmodSync(configFile, 0o644);
    }
  },
  timeoutMs,
);

test(
  'the owner can do all that',
  async () => {
    if (!isRoot) chmodSync(home, 0o700);
    const { code, out } = await runCommand(['restore', '--config', configFile]);
    expect(code).toBe(0);
    expect(out).toContain('.tar.gz');
  },
  timeoutMs,
);
