import { expect, test } from 'vitest';
import { compareRates, type RatedPour } from '../../../src/core/measurement/compare-rates.ts';
import { factorAtRate } from '../../../src/core/measurement/meter-curve.ts';

/** A weighed litre with a scale of 1 g. */
const litre = (hz: number | null, ticks: number): RatedPour => ({ hz, ticks, volumeMl: 1_000, uMl: 1.4 });

test('pours at two rates whose factors differ need a curve', () => {
  const comparison = compareRates([
    ...[2_000, 2_004, 1_996].map((ticks) => litre(100, ticks)),
    ...[1_900, 1_904, 1_896].map((ticks) => litre(50, ticks)),
  ])!;
  expect(comparison).toMatchObject({
    isDifferent: true,
    low: { hz: 50, ticksPerMl: 1.9, pours: 3 },
    high: { hz: 100, ticksPerMl: 2, pours: 3 },
    difference: expect.closeTo(0.0526, 4),
  });
  const { points } = comparison;
  expect([factorAtRate({ points }, 50), factorAtRate({ points }, 100)]).toEqual([1.9, 2]);
  // Friction: the factor is linear in the inverse of the rate, 1.967 at 75 ticks per second.
  expect(Math.abs(factorAtRate({ points }, 75) - (2.1 - 10 / 75))).toBeLessThan(0.003);
});

test('a difference within three standard uncertainties is chance, also where pours agree exactly', () => {
  const three = (hz: number, ticks: number) => [1, 2, 3].map(() => litre(hz, ticks));
  // The meter alone scatters by 0.5 %: u is 0.3 % for three pours, 0.42 % for the difference of six.
  expect(compareRates([...three(100, 2_000), ...three(50, 1_980)])?.isDifferent).toBe(false);
  expect(compareRates([...three(100, 2_000), ...three(50, 1_960)])?.isDifferent).toBe(true);
});

test('rates are clearly different from a ratio of 1.5 on', () => {
  expect(compareRates([litre(100, 2_000), litre(67, 1_900)])).toBeNull();
  expect(compareRates([litre(100, 2_000), litre(66, 1_900)])).not.toBeNull();
});

test('the rate of some pours is not known: they are in no group', () => {
  expect(compareRates([litre(100, 2_000), litre(null, 1_000)])).toBeNull();
  const comparison = compareRates([litre(100, 2_000), litre(null, 1_000), litre(50, 1_900)]);
  expect(comparison).toMatchObject({
    low: { pours: 1 },
    high: { pours: 1 },
    outliers: [false, false, false],
  });
});

test('an outlier is one among the pours of its own rate', () => {
  const pours = [
    ...[2_000, 2_004, 2_300, 1_996].map((ticks) => litre(100, ticks)),
    ...[1_800, 1_804, 1_796].map((ticks) => litre(50, ticks)),
  ];
  expect(compareRates(pours)?.outliers).toEqual([false, false, true, false, false, false, false]);
});
