import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUnevenTicks, isFreshKeg } from '../../../src/core/measurement/fresh-foam.ts';
import { sumTicks } from '../../../src/core/pours/tick-series.ts';

/** 60 mL/s through a meter of 5.4 ticks per millilitre. */
const openRate = { ticksPerS: 324, isLearned: true };

/** Bins of 100 ms with so many ticks each. */
const toPairs = (counts: readonly number[]) => counts.map((ticks, i) => ({ ms: i * 100, ticks }));
const repeat = (times: number, ...counts: readonly number[]) =>
  Array.from({ length: times }, () => counts).flat();
const beer = (bins: number) => repeat(bins / 2, 32, 33);
/** Sputters between 60 and 130 % of beer’s rate. */
const foam = (bins: number) => repeat(bins / 4, 20, 36, 24, 41);
/** Twice as fast, and sputters. */
const gas = (bins: number) => repeat(bins / 4, 52, 81, 60, 75);

const findUneven = (counts: readonly number[], rate = openRate) => findUnevenTicks(toPairs(counts), rate);
const sum = (counts: readonly number[]) => counts.reduce((total, ticks) => total + ticks, 0);

test('a keg is fresh until 3 L of it were poured or spilled, or a tenth of a small one', () => {
  const isFresh = (fullVolumeMl: number, servedVolumeMl: number, spilledVolumeMl = 0) =>
    isFreshKeg({ fullVolumeMl, servedVolumeMl, spilledVolumeMl });
  expect([isFresh(50_000, 2_999), isFresh(50_000, 3_000), isFresh(50_000, 2_000, 1_000)]).toEqual([
    ...[true, false, false],
  ]);
  expect([isFresh(5_000, 499), isFresh(5_000, 500)]).toEqual([true, false]);
});

describe('a pour', () => {
  test.each([
    ['at the usual rate', beer(60)],
    ['throttled, then open', [...repeat(20, 16, 17), ...beer(40)]],
    ['that spins up and runs out', [4, 20, ...beer(30), 12, 2]],
    ['stopped and opened again', repeat(5, 30, 33, 32, 12, 0, 0, 8, 28)],
    ['twice as fast as the tap’s usual rate', repeat(40, 65, 66)],
    ['half open, then twice as fast as usual', [...repeat(20, 32, 33), ...repeat(20, 65, 66)]],
  ])('is beer when it is even: %s', (_what, counts) => {
    expect(findUneven(counts)).toBe(0);
  });

  test('begins with foam when it is uneven, up to the beer', () => {
    const ticks = findUneven([...foam(20), ...beer(60)]);
    // Within half a second of the true end.
    expect(Math.abs(ticks - sum(foam(20)))).toBeLessThan(160);
  });

  test('may be foam alone', () => {
    expect(findUneven(foam(40))).toBe(sum(foam(40)));
  });

  test('begins with the gas and the foam of the line', () => {
    const truth = sum(gas(20)) + sum(foam(12));
    expect(Math.abs(findUneven([...gas(20), ...foam(12), ...beer(60)]) / truth - 1)).toBeLessThan(0.1);
  });

  test('property: what is uneven is never more than all ticks', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(counts, fc.double({ min: 1, max: 600, noNaN: true }), (ticks, hz) => {
        const uneven = findUneven(ticks, { ticksPerS: hz, isLearned: true });
        expect(uneven).toBeGreaterThanOrEqual(0);
        expect(uneven).toBeLessThanOrEqual(sumTicks(toPairs(ticks)));
      }),
      { numRuns: 500 },
    );
  });
});
