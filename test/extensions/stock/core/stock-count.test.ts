import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type StockCountLine, sumDifferences } from '../../../../src/extensions/stock/core/stock-count.ts';

const line = (expected: number, counted: number, valueMinor: number | null): StockCountLine => ({
  beverageId: 1,
  beverage: 'Lager',
  size: '50 L',
  fullVolumeMl: 50_000,
  reason: null,
  expected,
  counted,
  valueMinor,
});

test('missing and found kegs of several kinds do not cancel, and those without a cost are counted apart', () => {
  expect(
    sumDifferences([line(5, 3, -20_000), line(1, 2, 9_000), line(4, 1, null), line(7, 7, null)]),
  ).toEqual({
    missing: 5,
    found: 1,
    valueMinor: -11_000,
    withoutValue: 3,
  });
  expect(sumDifferences([])).toEqual({ missing: 0, found: 0, valueMinor: 0, withoutValue: 0 });
});

test('property: what was found without what is missing is the change of the stock', () => {
  const kegs = fc.integer({ min: 0, max: 1_000 });
  const lines = fc.array(fc.tuple(kegs, kegs).map(([expected, counted]) => line(expected, counted, null)));
  fc.assert(
    fc.property(lines, (some) => {
      const { missing, found, withoutValue } = sumDifferences(some);
      expect(found - missing).toBe(some.reduce((sum, one) => sum + one.counted - one.expected, 0));
      expect(found + missing).toBe(withoutValue);
    }),
  );
});
