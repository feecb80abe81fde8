import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type UpdaterFiles, updaterFiles } from '../../src/updater/files.ts';
import { createReleases } from '../../src/updater/releases.ts';
import { createStateFile } from '../../src/updater/state-file.ts';
import {
  filesWithCut,
  makeReleases,
  makeMachine as makeTestMachine,
  PowerCut,
  quickFiles,
  type TestReleases,
} from './updater-machine.ts';

let kept: TestReleases;
let releases: string;

beforeEach(() => {
  kept = makeReleases();
  releases = kept.folder;
});

afterEach(() => kept.remove());

type Behaviour = NonNullable<NonNullable<Parameters<typeof makeTestMachine>[1]>['behaves']>;

const makeMachine = (behaves: Behaviour = () => 'ok') => makeTestMachine(kept, { behaves });
const makePayload = (version: string) => kept.makePayload(version);
const makeRelease = (version: string) => kept.makeRelease(version);
const orderUpdate = (version: string) => kept.order(version);
const readState = () => kept.readState();
const versions = () => kept.versions();

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

test('the daemon’s user can read a release, whatever the umask of the command that adds it', () => {
  const payload = makePayload('2.0.0');
  const umask = process.umask(0o077);
  try {
    createReleases(releases, updaterFiles).add('2.0.0', payload);
  } finally {
    process.umask(umask);
  }
  for (const folder of ['2.0.0', '2.0.0/dist'])
    expect(statSync(join(releases, folder)).mode & 0o777, folder).toBe(0o755);
});

test('releases share the files of the payload by hard links', () => {
  createReleases(releases, updaterFiles).add('2.0.0', makePayload('2.0.0'));
  expect(statSync(join(releases, '2.0.0', 'dist', 'main.js')).nlink).toBe(2);
});

/** The changes of a whole update, to cut the power at each of them. */
async function countChanges(behaves: Behaviour): Promise<number> {
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
        kept.reset();
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
          cut,
          isAfter,
          link: expected,
          running: expected,
        });
        expect(readState().update).toBeNull();
        expect(versions()).toContain('1.0.0');
      }
    }
  },
);
