import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinTickSeries, splitTickSeries } from '../../../src/core/pours/split-series.ts';
import { parseTickSeries, sumTicks } from '../../../src/core/pours/tick-series.ts';

test('a series is split after the first glass', () => {
  expect(splitTickSeries('0:100 500:50', { ticks: 120, total: 150 })).toEqual(['0:100 500:20', '500:30']);
  expect(splitTickSeries('0:100 500:50', { ticks: 100, total: 150 })).toEqual(['0:100', '500:50']);
});

test('a series that does not sum to all ticks is not split', () => {
  expect(splitTickSeries('0:100', { ticks: 10, total: 150 })).toEqual([null, null]);
  expect(splitTickSeries(null, { ticks: 10, total: 150 })).toEqual([null, null]);
});

test('a joined series is shifted by the offset', () => {
  expect(joinTickSeries('0:100', '0:50 100:1', 9_000)).toBe('0:100 9000:50 9100:1');
  expect(joinTickSeries(null, '0:50', 9_000)).toBeNull();
});

test('property: a split series joins to the original', () => {
  const pairs = fc.uniqueArray(
    fc.record({ ms: fc.nat({ max: 300_000 }), ticks: fc.integer({ min: 1, max: 500 }) }),
    { selector: ({ ms }) => ms, minLength: 1, maxLength: 256 },
  );
  fc.assert(
    fc.property(pairs, fc.double({ min: 0, max: 1, noNaN: true }), (some, share) => {
      const ordered = some.toSorted((a, b) => a.ms - b.ms);
      const series = ordered.map(({ ms, ticks }) => `${ms}:${ticks}`).join(' ');
      const total = sumTicks(ordered);
      const ticks = Math.round(total * share);
      const [first, second] = splitTickSeries(series, { ticks, total });
      expect(first === null ? 0 : sumTicks(parseTickSeries(first)!)).toBe(ticks);
      if (first !== null && second !== null) expect(joinTickSeries(first, second, 0)).toBe(series);
    }),
  );
});
