import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updateRules } from '../../src/core/updates/update-state.ts';
import { type UpdaterFiles, updaterFiles } from '../../src/updater/files.ts';
import { ProgramRefused } from '../../src/updater/program.ts';
import { createReleases } from '../../src/updater/releases.ts';
import { createStateFile } from '../../src/updater/state-file.ts';
import { runUpdater } from '../../src/updater/updater.ts';

let root: string;
let releases: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tapster-updater-'));
  releases = join(root, 'releases');
  mkdirSync(releases);
  makeRelease('1.0.0');
  updaterFiles.replaceLink(join(releases, 'current'), '1.0.0');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function makePayload(version: string): string {
  const payload = join(root, `payload-${version}`);
  mkdirSync(join(payload, 'dist'), { recursive: true });
  writeFileSync(join(payload, 'dist', 'main.js'), `// ${version}`);
  writeFileSync(join(payload, 'package.json'), JSON.stringify({ version }));
  return payload;
}

const makeRelease = (version: string): void =>
  createReleases(releases, quickFiles).add(version, makePayload(version));

/** Without the sync of the whole disk, which takes most of the time. */
const quickFiles: UpdaterFiles = {
  ...updaterFiles,
  copyTree: (from, to) => cpSync(from, to, { recursive: true }),
};

class PowerCut extends Error {}

/** Files that fail before or after the change with this number, as if the power were cut there. */
function filesWithCut(cutAt: number, isAfter: boolean): UpdaterFiles & { readonly changes: () => number } {
  let changes = 0;
  const wrap =
    <Args extends unknown[]>(write: (...args: Args) => void) =>
    (...args: Args): void => {
      const change = changes++;
      // Nothing is written after the cut.
      if (change > cutAt || (change === cutAt && !isAfter)) throw new PowerCut();
      write(...args);
      if (change === cutAt) throw new PowerCut();
    };
  return {
    copyTree: wrap(quickFiles.copyTree),
    rename: wrap(updaterFiles.rename),
    replaceLink: wrap(updaterFiles.replaceLink),
    writeFile: wrap(updaterFiles.writeFile),
    remove: wrap(updaterFiles.remove),
    changes: () => changes,
  };
}

/** A machine whose time passes only while the updater sleeps; the daemon is that of the link at its last start. */
function makeMachine(behaves: (version: string) => 'ok' | 'trouble' | 'none' = () => 'ok') {
  let ms = 0;
  let boot = 1;
  let running = '1.0.0';
  const link = () => readlinkSync(join(releases, 'current'));
  const machine = {
    link,
    running: () => running,
    pours: 0,
    refuses: null as string | null,
    backups: 0,
    cutPower(): void {
      boot += 1;
      running = link();
    },
    async resume(files: UpdaterFiles = updaterFiles): Promise<void> {
      await runUpdater({
        releases: createReleases(releases, files),
        state: createStateFile(releases, files),
        service: {
          resetRestarts: () => 0,
          restarts: () => 0,
          restart() {
            running = link();
          },
          startUpdater() {},
        },
        program: {
          async check() {
            if (machine.refuses !== null) throw new ProgramRefused(78, machine.refuses);
            return { host: '127.0.0.1', port: 8080 };
          },
          async backUp() {
            machine.backups += 1;
            return `/backups/${machine.backups}`;
          },
        },
        probe: async () => {
          const health = behaves(running);
          return { health, version: health === 'none' ? null : running, pours: machine.pours };
        },
        takeOrders: async () => [createStateFile(releases, files).takeOrder() ?? []].flat(),
        whileNothingIsAdded: async (work) => work(),
        now: () => ({ uptime: { bootId: `boot-${boot}`, ms }, wallMs: ms }),
        async sleep(duration) {
          ms += duration;
        },
        rules: { ...updateRules, okForMs: 3_000, withinMs: 9_000, trialMs: 12_000, maxWaitMs: 6_000 },
        pollMs: 1_000,
        log() {},
      });
    },
  };
  return machine;
}

const readState = () => createStateFile(releases, updaterFiles).read();
const orderUpdate = (version: string, kind: 'update' | 'rollback' = 'update'): void =>
  createStateFile(releases, updaterFiles).writeOrder({ kind, version });
const versions = () => readdirSync(releases).filter((name) => /^\d/.test(name));

test('an update switches the link, restarts the service and keeps the release before', async () => {
  makeRelease('2.0.0');
  orderUpdate('2.0.0');
  const machine = makeMachine();
  await machine.resume();
  expect(machine.running()).toBe('2.0.0');
  expect(readState()).toMatchObject({ previous: '1.0.0', last: { outcome: 'done', backup: '/backups/1' } });
  expect(versions()).toEqual(['1.0.0', '2.0.0']);
});

test('after a third version the oldest release is deleted', async () => {
  const machine = makeMachine();
  for (const version of ['2.0.0', '3.0.0']) {
    makeRelease(version);
    orderUpdate(version);
    await machine.resume();
  }
  expect(machine.running()).toBe('3.0.0');
  expect(versions()).toEqual(['2.0.0', '3.0.0']);
});

test('a bad version is taken back, and neither the running nor the previous release is deleted', async () => {
  const machine = makeMachine((version) => (version === '3.0.0' ? 'none' : 'ok'));
  for (const version of ['2.0.0', '3.0.0']) {
    makeRelease(version);
    orderUpdate(version);
    await machine.resume();
  }
  expect(machine.running()).toBe('2.0.0');
  expect(readState().last).toMatchObject({ outcome: 'reverted', reason: 'no_answer', to: '3.0.0' });
  expect(versions()).toEqual(['1.0.0', '2.0.0']);
});

test('a program that refuses the settings is not switched to, and no backup is made', async () => {
  makeRelease('2.0.0');
  orderUpdate('2.0.0');
  const machine = makeMachine();
  machine.refuses = 'taps[0].pin: is used twice';
  await machine.resume();
  expect(machine.running()).toBe('1.0.0');
  expect(machine.backups).toBe(0);
  expect(readState().last).toMatchObject({ outcome: 'refused', detail: 'taps[0].pin: is used twice' });
});

test('pours delay the switch, but not for ever', async () => {
  makeRelease('2.0.0');
  orderUpdate('2.0.0');
  const machine = makeMachine();
  machine.pours = 1;
  await machine.resume();
  expect(machine.running()).toBe('2.0.0');
});

test('a link that names no release is repaired', async () => {
  rmSync(join(releases, 'current'));
  const machine = { ...makeMachine() };
  await machine.resume();
  expect(machine.link()).toBe('1.0.0');
});

test('a disk without space leaves the release that runs', () => {
  const full: UpdaterFiles = {
    ...updaterFiles,
    copyTree(_from, to) {
      mkdirSync(to);
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    },
  };
  const folder = createReleases(releases, full);
  expect(() => folder.add('2.0.0', makePayload('2.0.0'))).toThrow('no space left');
  expect(readdirSync(releases).sort()).toEqual(['1.0.0', 'current']);
});

test('releases share the files of the payload by hard links', () => {
  createReleases(releases, updaterFiles).add('2.0.0', makePayload('2.0.0'));
  expect(statSync(join(releases, '2.0.0', 'dist', 'main.js')).nlink).toBe(2);
});

/** The changes of a whole update, to cut the power at each of them. */
async function countChanges(behaves: Parameters<typeof makeMachine>[0]): Promise<number> {
  const files = filesWithCut(Number.POSITIVE_INFINITY, false);
  createReleases(releases, files).add('2.0.0', makePayload('2.0.0'));
  createStateFile(releases, files).writeOrder({ kind: 'update', version: '2.0.0' });
  await makeMachine(behaves).resume(files);
  return files.changes();
}

test.each([
  ['a good version', 'ok', '2.0.0'],
  ['a bad version', 'none', '1.0.0'],
] as const)(
  'with a power cut at each change of the disk, an update to %s ends with a version that runs',
  async (_name, newHealth, expected) => {
    const behaves = (version: string) => (version === '2.0.0' ? newHealth : 'ok');
    const changes = await countChanges(behaves);
    expect(changes).toBeGreaterThan(10);
    for (let cut = 0; cut < changes; cut++) {
      for (const isAfter of [false, true]) {
        rmSync(releases, { recursive: true });
        mkdirSync(releases);
        makeRelease('1.0.0');
        updaterFiles.replaceLink(join(releases, 'current'), '1.0.0');
        const machine = makeMachine(behaves);
        const files = filesWithCut(cut, isAfter);
        try {
          createReleases(releases, files).add('2.0.0', makePayload('2.0.0'));
          createStateFile(releases, files).writeOrder({ kind: 'update', version: '2.0.0' });
          await machine.resume(files);
        } catch (fault) {
          if (!(fault instanceof PowerCut)) throw fault;
        }
        machine.cutPower();
        expect(existsSync(join(releases, machine.link(), 'dist', 'main.js'))).toBe(true);
        // dpkg configures the package again, as it does when it was interrupted.
        if (readState().last === null && readState().update === null) {
          createReleases(releases, quickFiles).add('2.0.0', makePayload('2.0.0'));
          orderUpdate('2.0.0');
        }
        await machine.resume();
        expect({ cut, isAfter, link: machine.link(), running: machine.running() }).toEqual({
          ...{ cut, isAfter },
          link: expected,
          running: expected,
        });
        expect(readState().update).toBeNull();
        expect(versions()).toContain('1.0.0');
      }
    }
  },
);
