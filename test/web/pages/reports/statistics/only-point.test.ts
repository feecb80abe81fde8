import { expect, test } from 'vitest';
import { isOnlyPoint } from '../../../../../src/web/pages/reports/statistics/only-point.ts';

test('a line or steps with one value draw a dot, also between gaps', () => {
  expect(isOnlyPoint('line', [4])).toBe(true);
  expect(isOnlyPoint('steps', [4])).toBe(true);
  expect(isOnlyPoint('line', [null, 4, null])).toBe(true);
});

test('two values are joined, none draws nothing, and a bar is seen alone', () => {
  expect(isOnlyPoint('line', [4, 5])).toBe(false);
  expect(isOnlyPoint('steps', [null])).toBe(false);
  expect(isOnlyPoint('bars', [4])).toBe(false);
});
