import { expect, test } from 'vitest';
import { updateProblems } from '../../../src/core/updates/update-problems.ts';
import type { PackageInstall, UpdateResult } from '../../../src/core/updates/update-state.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 24);
const result: UpdateResult = {
  kind: 'update',
  from: '0.1.0',
  to: '0.2.0',
  outcome: 'reverted',
  reason: 'no_answer',
  detail: '',
  backup: null,
  wallMs: now - day,
};
const problems = (last: UpdateResult | null, running = '0.1.0', at = now) =>
  updateProblems({ last, update: null, install: null }, running, at).map(({ message }) => message);

test('an update that was taken back is a problem, with its reason and the version that runs', () => {
  const [text = ''] = problems(result);
  expect(text).toMatch(
    /^Version 0\.2\.0 was tried and taken back, because it did not answer\. Version 0\.1\.0 runs again/,
  );
});

test('what went wrong is followed by the command that tries it again', () => {
  for (const outcome of ['reverted', 'refused'] as const)
    expect(problems({ ...result, outcome })[1]).toMatch(/“sudo tapster update retry” tries it again/);
});

test('an update that was refused is a problem', () => {
  const [text = ''] = problems({ ...result, outcome: 'refused', reason: 'backup_failed' });
  expect(text).toMatch(/^Version 0\.2\.0 was not installed, because no backup could be made\./);
});

test.each<[string, UpdateResult | null, string?, number?]>([
  ['no update was tried', null],
  ['it went well', { ...result, outcome: 'done', reason: null }],
  ['a person cancelled it', { ...result, outcome: 'cancelled', reason: 'asked' }],
  ['a person took it back', { ...result, reason: 'asked' }],
  ['another version runs by now', result, '0.3.0'],
  ['it was more than a week ago', result, '0.1.0', now + 7 * day],
])('there is no problem when %s', (_, last, running, at) => {
  expect(problems(last, running, at)).toEqual([]);
});

test('nothing is reported while an update is under way', () => {
  const update = { phase: 'trial' } as never;
  expect(updateProblems({ last: result, update, install: null }, '0.1.0', now)).toEqual([]);
});

const install: PackageInstall = {
  version: '0.3.0',
  phase: 'failed',
  source: null,
  tries: 0,
  detail: '',
  reason: 'wrong_checksum',
  wallMs: now - day / 2,
};

test('a package that could not be installed later than the last update is a problem, in its place', () => {
  const [{ message = '' } = {}, ...more] = updateProblems(
    { last: result, update: null, install },
    '0.1.0',
    now,
  );
  expect(message).toMatch(/^Version 0\.3\.0 was not installed, because its package was damaged or changed/);
  expect(more.map(({ code }) => code)).toEqual(['update_retry']);
});

test('a package that was asked for before the last update is no problem any more', () => {
  const earlier = { ...install, wallMs: result.wallMs - 1 };
  expect(
    updateProblems({ last: { ...result, from: '0.2.0' }, update: null, install: earlier }, '0.1.0', now),
  ).toEqual([]);
});
