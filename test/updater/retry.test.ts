import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { retryUpdate } from '../../src/cli/updates/update-retry.ts';
import { parseRequest, requestFileName } from '../../src/core/updates/update-request.ts';
import { emptyState, type PackageInstall } from '../../src/core/updates/update-state.ts';
import { keptCheckFileName } from '../../src/services/updates/kept-check.ts';
import { readTextFile } from '../../src/system/small-files.ts';
import { updaterFiles } from '../../src/updater/files.ts';
import { parseOptions } from '../../src/updater/options.ts';
import type { ServiceManager } from '../../src/updater/service-manager.ts';
import { createStateFile } from '../../src/updater/state-file.ts';
import { manifestFields } from '../kit/package-server.ts';
import { makeMachine, makeReleases, quickFiles, type TestReleases } from './updater-machine.ts';

let releases: TestReleases;
beforeEach(() => {
  releases = makeReleases();
});
afterEach(() => releases.remove());

/** `sudo tapster update retry` on a machine whose package folder has `payload`. */
async function retry({ payload = releases.makePayload('2.0.0'), isUnpacked = true } = {}): Promise<string> {
  let out = '';
  let starts = 0;
  const service = { startUpdater: () => starts++ } as unknown as ServiceManager;
  const { options } = parseOptions([
    ...['--releases', releases.folder, '--state-directory', releases.folder, '--payload', payload],
  ]);
  const io = {
    out: (text: string | Uint8Array) => {
      out += String(text);
    },
  };
  await retryUpdate(options, io, { files: quickFiles, service, isUnpacked: () => isUnpacked });
  expect(starts).toBe(/package of/.test(out) ? 0 : 1);
  return out;
}

const refusal = (message: RegExp) => ({ code: 'unavailable', message: expect.stringMatching(message) });

/** Has 2.0.0 tried while it behaves badly: its files are deleted afterwards. */
async function failOnce() {
  let behaves: 'ok' | 'none' = 'none';
  const machine = makeMachine(releases, { behaves: (version) => (version === '2.0.0' ? behaves : 'ok') });
  releases.makeRelease('2.0.0');
  releases.order('2.0.0');
  await machine.resume();
  expect(machine.running()).toBe('1.0.0');
  expect(releases.versions()).not.toContain('2.0.0');
  return {
    machine,
    mend: () => {
      behaves = 'ok';
    },
  };
}

test('a version that was taken back is tried again by one command, and runs once its cause is gone', async () => {
  const { machine, mend } = await failOnce();
  expect(releases.readState().last).toMatchObject({ outcome: 'reverted', reason: 'no_answer' });
  mend();
  expect(await retry()).toMatch(
    /^Tapster 2\.0\.0 is tried again as soon as it was checked and the taps are idle\./,
  );
  await machine.resume();
  expect(machine.running()).toBe('2.0.0');
  await expect(retry()).rejects.toMatchObject(
    refusal(/^There is nothing to try again: Tapster 2\.0\.0 runs/),
  );
});

test('a version that was refused by its check is tried again', async () => {
  const machine = makeMachine(releases);
  machine.refuses = 'The settings have errors.';
  releases.makeRelease('2.0.0');
  releases.order('2.0.0');
  await machine.resume();
  expect(releases.readState().last).toMatchObject({ outcome: 'refused' });
  machine.refuses = null;
  await retry();
  await machine.resume();
  expect(machine.running()).toBe('2.0.0');
});

test('a trial that still fails is taken back again', async () => {
  const { machine } = await failOnce();
  await retry();
  await machine.resume();
  expect(machine.running()).toBe('1.0.0');
});

test('files of another version, or half unpacked ones, are not tried', async () => {
  await failOnce();
  const text =
    /^The files of version 2\.0\.0 are not on this machine any more\. Install its package again: sudo apt/;
  await expect(retry({ payload: releases.makePayload('3.0.0') })).rejects.toMatchObject(refusal(text));
  await expect(retry({ payload: join(releases.folder, 'missing') })).rejects.toMatchObject(refusal(text));
  await expect(retry({ isUnpacked: false })).rejects.toMatchObject(refusal(text));
});

test('nothing is tried while no version was refused, or a change is under way', async () => {
  await expect(retry()).rejects.toMatchObject(refusal(/^There is nothing to try again/));
  createStateFile(releases.folder, updaterFiles).write({
    ...emptyState,
    next: { kind: 'update', version: '2.0.0' },
  });
  await expect(retry()).rejects.toMatchObject(refusal(/^A change of the version is under way/));
});

const install: PackageInstall = {
  version: '2.0.0',
  phase: 'failed',
  source: null,
  reason: 'download_failed',
  detail: '',
  tries: 0,
  wallMs: 1,
};

test('a package that could not be downloaded is asked for again, with the manifest of the last check', async () => {
  createStateFile(releases.folder, updaterFiles).write({ ...emptyState, install });
  await expect(retry()).rejects.toMatchObject(
    refusal(/names version 2\.0\.0 no more\. Look for new versions/),
  );
  const manifest = Buffer.from(JSON.stringify(manifestFields())).toString('base64');
  writeFileSync(
    join(releases.folder, keptCheckFileName),
    JSON.stringify({ format: 1, manifest, signature: 'c2ln' }),
  );
  expect(await retry()).toMatch(/^The package of Tapster 2\.0\.0 is downloaded and tried again\./);
  expect(parseRequest(readTextFile(join(releases.folder, requestFileName)) ?? '')).toEqual({
    action: 'install',
    manifest,
    signature: 'c2ln',
  });
});
