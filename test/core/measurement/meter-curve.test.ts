import { expect, test } from 'vitest';
import { curveVolume, factorAtRate, isCurve } from '../../../src/core/measurement/meter-curve.ts';

/** The YF-21 of Seeed's data sheet rolls off at low rates. */
const points = [
  { hz: 100, ticksPerMl: 4.8 },
  { hz: 200, ticksPerMl: 5 },
  { hz: 400, ticksPerMl: 5.2 },
];
const curve = { points, offsetTicks: 0 };
const series = (...counts: readonly number[]) => counts.map((ticks, i) => ({ ms: i * 100, ticks }));

test('the factor is interpolated between the points and stays that of the last one outside', () => {
  expect([50, 100, 150, 200, 300, 400, 900].map((hz) => factorAtRate(curve, hz))).toEqual([
    4.8,
    4.8,
    expect.closeTo(4.9, 12),
    5,
    expect.closeTo(5.1, 12),
    5.2,
    5.2,
  ]);
});

test('a steady pour has the factor of its rate', () => {
  const pairs = series(...Array<number>(50).fill(20));
  expect(curveVolume(pairs, curve)).toBeCloseTo(1_000 / 5, 9);
});

test('the ticks that every pour has besides its volume are taken off', () => {
  const pairs = series(...Array<number>(50).fill(20));
  expect(curveVolume(pairs, { points, offsetTicks: 10 })).toBeCloseTo(990 / 5, 9);
  expect(curveVolume(series(3), { points, offsetTicks: 10 })).toBe(0);
});

test('wider buckets of a long pour have the same rate', () => {
  const pairs = Array.from({ length: 50 }, (_, i) => ({ ms: i * 400, ticks: 80 }));
  expect(curveVolume(pairs, curve)).toBeCloseTo(4_000 / 5, 9);
});

test('a series without ticks is no volume', () => {
  expect(curveVolume([], curve)).toBe(0);
});

test('a curve has 1 to 8 points of ascending rate', () => {
  expect(isCurve(points)).toBe(true);
  expect(isCurve([])).toBe(false);
  expect(isCurve(points.toReversed())).toBe(false);
  expect(isCurve(Array.from({ length: 9 }, (_, i) => ({ hz: i + 1, ticksPerMl: 5 })))).toBe(false);
  expect(isCurve([{ hz: 100, ticksPerMl: 0 }])).toBe(false);
});
