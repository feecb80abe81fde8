import { expect, test } from 'vitest';
import { describeCheck } from '../../src/cli/updates/update-status.ts';
import {
  emptyState,
  type PackageInstall,
  type UpdateReason,
  type UpdateResult,
} from '../../src/core/updates/update-state.ts';
import { describeResult } from '../../src/core/updates/update-words.ts';
import type { KeptCheck } from '../../src/services/updates/kept-check.ts';
import { describeStatus } from '../../src/updater/describe-status.ts';
import { manifestFields } from '../kit/package-server.ts';

const install: PackageInstall = {
  version: '2.0.0',
  phase: 'downloading',
  source: null,
  tries: 1,
  reason: null,
  detail: '',
  wallMs: 0,
};
const describe = (change: Partial<PackageInstall>) =>
  describeStatus({
    current: '1.0.0',
    releases: ['1.0.0'],
    state: { ...emptyState, install: { ...install, ...change } },
  });

test('a package that is being downloaded, and why one was not installed, are shown', () => {
  expect(describe({})).toBe(
    'Running release: 1.0.0\nOther releases:  none\nPackage:         The package of version 2.0.0 is being downloaded.\n',
  );
  expect(describe({ phase: 'failed', reason: 'wrong_checksum', detail: 'It differs.' })).toBe(
    'Running release: 1.0.0\nOther releases:  none\n' +
      'Package:         Version 2.0.0 was not installed, because its package was damaged or changed on the way. Version 1.0.0 runs on.\n' +
      'It differs.\nTo try it again: sudo tapster update retry\n',
  );
});

const result: UpdateResult = {
  kind: 'update',
  from: '1.0.0',
  to: '2.0.0',
  outcome: 'reverted',
  reason: 'restarts',
  detail: 'It restarted 2 times within 3 min.',
  backup: null,
  wallMs: 0,
};
const describeLast = (change: Partial<UpdateResult>): string =>
  describeStatus({
    current: '1.0.0',
    releases: ['1.0.0'],
    state: { ...emptyState, last: { ...result, ...change } },
  });

test('an update that was taken back: what happened, why, what runs now, and the command that tries it again', () => {
  expect(describeLast({})).toBe(
    'Running release: 1.0.0\nOther releases:  none\n' +
      'Last update:     Version 2.0.0 was tried and taken back, because it kept restarting. Version 1.0.0 runs again, and no drink is lost.\n' +
      'It restarted 2 times within 3 min.\nTo try it again: sudo tapster update retry\n',
  );
});

test.each<[Partial<UpdateResult>, RegExp]>([
  [
    { outcome: 'refused', reason: 'backup_failed' },
    /Version 2\.0\.0 was not installed, because no backup could be made\. Version 1\.0\.0 runs on\./,
  ],
  [{ reason: 'asked' }, /Version 2\.0\.0 was taken back by hand\. Version 1\.0\.0 runs again\./],
  [
    { outcome: 'cancelled', reason: 'asked' },
    /change to version 2\.0\.0 was cancelled\. Version 1\.0\.0 runs on\./,
  ],
  [
    { outcome: 'failed', reason: 'no_answer' },
    /because it did not answer\..* Then it did not answer: sudo journalctl/,
  ],
])('%j is told in sentences, with the command', (change, text) => {
  expect(describeLast(change)).toMatch(text);
  expect(describeLast(change)).toMatch(/\nTo try it again: sudo tapster update retry\n$/);
});

test('after an update that went well nothing is to be tried again', () => {
  const done = describeStatus({
    current: '2.0.0',
    releases: ['2.0.0', '1.0.0'],
    state: { ...emptyState, last: { ...result, outcome: 'done', reason: null, detail: '' } },
  });
  expect(done).toMatch(/Last update: {5}Version 2\.0\.0 was installed and runs\.\n$/);
});

test('no reason is a single word, whatever ended the update', () => {
  const reasons: Readonly<Record<UpdateReason, true>> = {
    check_failed: true,
    backup_failed: true,
    release_missing: true,
    disk_failed: true,
    no_answer: true,
    wrong_version: true,
    unhealthy: true,
    restarts: true,
    power_cuts: true,
    asked: true,
  };
  for (const reason of Object.keys(reasons) as UpdateReason[])
    for (const outcome of ['refused', 'reverted', 'failed'] as const) {
      const sentence = describeResult({ ...result, outcome, reason });
      expect(sentence).toMatch(/^Version 2\.0\.0 was .{12,}\. Version 1\.0\.0 runs (?:on|again)/);
    }
});

const kept: KeptCheck = {
  format: 1,
  minute: 7,
  failure: null,
  newestSerial: 0,
  manifest: '',
  signature: '',
  lastCheckedMs: null,
  planned: null,
  asked: null,
};

test('the last update check, its failure and what is planned are shown', () => {
  const host = 'packages.example.org';
  expect(describeCheck(kept, host)).toBe('Update check:    not yet\n');
  const manifest = Buffer.from(JSON.stringify(manifestFields())).toString('base64');
  const failure = { reason: 'too_slow', status: 0 } as const;
  expect(
    describeCheck(
      { ...kept, manifest, failure, lastCheckedMs: Date.UTC(2026, 10, 24), planned: '2.0.0' },
      host,
    ),
  ).toBe(
    'Update check:    2026-11-24T00:00:00.000Z\n' +
      'New versions could not be looked for at packages.example.org: it is too slow.\n' +
      'Newest version:  2.0.0\nPlanned:         2.0.0, in the quiet hour\n',
  );
});
