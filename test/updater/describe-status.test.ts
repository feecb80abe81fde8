import { expect, test } from 'vitest';
import { describeCheck } from '../../src/cli/update-status.ts';
import { emptyState, type PackageInstall } from '../../src/core/updates/update-state.ts';
import type { KeptCheck } from '../../src/daemon/updates/kept-check.ts';
import { describeStatus } from '../../src/updater/describe-status.ts';
import { manifestFields } from '../kit/package-server.ts';

const install: PackageInstall = {
  ...{ version: '2.0.0', phase: 'downloading', source: null, tries: 1, reason: null, detail: '', wallMs: 0 },
};
const describe = (change: Partial<PackageInstall>) =>
  describeStatus({
    current: '1.0.0',
    releases: ['1.0.0'],
    state: { ...emptyState, install: { ...install, ...change } },
  });

test('a package that is being downloaded, and why one was not installed, are shown', () => {
  expect(describe({})).toBe(
    'Running release: 1.0.0\nOther releases:  none\nPackage:         2.0.0, downloading\n',
  );
  expect(describe({ phase: 'failed', reason: 'wrong_checksum', detail: 'It differs.' })).toMatch(
    /\nPackage: {9}2\.0\.0 was not installed: wrong checksum\nIt differs\.\n$/,
  );
});

const kept: KeptCheck = {
  ...{ format: 1, minute: 7, failure: null, newestSerial: 0, manifest: '', signature: '' },
  ...{ lastCheckedMs: null, planned: null, asked: null },
};

test('the last update check, its failure and what is planned are shown', () => {
  expect(describeCheck(kept)).toBe('Update check:    not yet\n');
  const manifest = Buffer.from(JSON.stringify(manifestFields())).toString('base64');
  const failure = { reason: 'too_slow', status: 0 } as const;
  expect(
    describeCheck({ ...kept, manifest, failure, lastCheckedMs: Date.UTC(2026, 10, 24), planned: '2.0.0' }),
  ).toBe(
    'Update check:    2026-11-24T00:00:00.000Z, failed: too slow\n' +
      'Newest version:  2.0.0\nPlanned:         2.0.0, in the quiet hour\n',
  );
});
