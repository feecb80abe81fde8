import { expect, test } from 'vitest';
import { groupPours, looksLikeCleaning } from '../../../../src/extensions/cleaning/core/cleaning-pattern.ts';

const pour = (volumeMl: number, durationMs: number, series: string | null = null) => ({
  id: 1,
  tapId: 1,
  timeMs: 0,
  durationMs,
  volumeMl,
  series,
});

test.each([
  ['a glass', pour(500, 8_000), false, false],
  ['a pump for five minutes in the morning', pour(38_000, 300_000), false, true],
  ['a pump for five minutes in service', pour(38_000, 300_000), true, true],
  ['a slow rinse of 6 L in the morning', pour(6_000, 100_000), false, true],
  ['6 L of beer in service, as for a party keg', pour(6_000, 100_000), true, false],
  ['a fast rinse of 1.2 L in the morning', pour(1_200, 10_000), false, true],
  ['a fast pitcher in service', pour(1_200, 10_000), true, false],
  ['a fast rinse of 2.5 L at a bar without opening hours', pour(2_500, 20_000), null, true],
])('%s', (_, one, isServed, expected) => {
  expect(looksLikeCleaning(one, isServed)).toBe(expected);
});

test('several glasses in one pour are not steady', () => {
  const steady = Array.from({ length: 50 }, (_, i) => `${i * 1_000}:200`).join(' ');
  const glasses = '0:1000 1000:1000 2000:1000 30000:1000 31000:1000 60000:1000 61000:1000 62000:1000';
  expect(looksLikeCleaning(pour(8_000, 50_000, steady), false)).toBe(true);
  expect(looksLikeCleaning(pour(8_000, 63_000, glasses), false)).toBe(false);
});

test('pours of a tap within an hour are one cleaning', () => {
  const at = (id: number, tapId: number, minutes: number) => ({
    ...pour(6_000, 60_000),
    id,
    tapId,
    timeMs: minutes * 60_000,
  });
  const groups = groupPours([at(1, 1, 0), at(2, 2, 10), at(3, 1, 50), at(4, 1, 200)]);
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([[1, 3], [4], [2]]);
});
