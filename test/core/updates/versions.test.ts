import { expect, test } from 'vitest';
import { compareVersions, isVersion } from '../../../src/core/updates/versions.ts';

test.each([['0.1.0'], ['1.20.3'], ['1.0.0-rc.1'], ['1.0.0~rc1']])('%s is a version', (text) => {
  expect(isVersion(text)).toBe(true);
});

test.each([[''], ['..'], ['1.0'], ['1.0.0/..'], ['1.0.0 '], ['current'], ['1.0.0-'], ['1.0.0.new'], [1]])(
  '%s is no version',
  (text) => expect(isVersion(text)).toBe(false),
);

test('versions are ordered by their numbers, and those with a suffix come before those without', () => {
  const sorted = ['0.9.0', '0.10.0-alpha', '0.10.0-rc.2', '0.10.0-rc.10', '0.10.0', '1.0.0'];
  expect([...sorted].reverse().sort(compareVersions)).toEqual(sorted);
});
