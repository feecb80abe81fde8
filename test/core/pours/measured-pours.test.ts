import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateCalibration } from '../../../src/core/pours/measured-pours.ts';

test('a single pour gives its own value, without a spread', () => {
  expect(estimateCalibration([{ ticks: 1_100, volumeMl: 200 }])).toEqual({
    ticksPerMl: 5.5,
    pours: [{ ticks: 1_100, volumeMl: 200, ticksPerMl: 5.5, deviation: 0, isOutlier: false }],
    spread: null,
  });
});

test('several pours combine as all ticks over all millilitres, not as the mean of their values', () => {
  const estimate = estimateCalibration([
    { ticks: 500, volumeMl: 100 },
    { ticks: 6_000, volumeMl: 1_000 },
  ]);
  expect(estimate?.ticksPerMl).toBeCloseTo(6_500 / 1_100, 12);
  expect(estimate?.spread).toBeCloseTo(1 / (6_500 / 1_100), 12);
});

test('an outlier is identified among three pours, and not among two', () => {
  const good = [
    { ticks: 1_000, volumeMl: 200 },
    { ticks: 1_510, volumeMl: 300 },
  ];
  const bad = { ticks: 1_000, volumeMl: 250 };
  expect(estimateCalibration([...good, bad])?.pours.map(({ isOutlier }) => isOutlier)).toEqual([
    false,
    false,
    true,
  ]);
  expect(estimateCalibration([good[0]!, bad])?.pours.some(({ isOutlier }) => isOutlier)).toBe(false);
});

test('pours that agree within the reading error have no outlier', () => {
  const pour = fc.record({
    volumeMl: fc.double({ min: 50, max: 2_000, noNaN: true }),
    error: fc.double({ min: -0.014, max: 0.014, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(pour, { minLength: 1, maxLength: 30 }), (pours) => {
      const measured = pours.map(({ volumeMl, error }) => ({ ticks: 5 * volumeMl * (1 + error), volumeMl }));
      return estimateCalibration(measured)!.pours.every(({ isOutlier }) => !isOutlier);
    }),
  );
});

const anyPour = fc.record({
  ticks: fc.integer({ min: 1, max: 1_000_000 }),
  volumeMl: fc.double({ min: 1, max: 100_000, noNaN: true }),
});

test('property: the result lies between lowest and highest, in any order', () => {
  fc.assert(
    fc.property(fc.array(anyPour, { minLength: 1, maxLength: 20 }), (pours) => {
      const { ticksPerMl, pours: assessed } = estimateCalibration(pours)!;
      const single = assessed.map((one) => one.ticksPerMl);
      expect(ticksPerMl).toBeGreaterThanOrEqual(Math.min(...single) * (1 - 1e-9));
      expect(ticksPerMl).toBeLessThanOrEqual(Math.max(...single) * (1 + 1e-9));
      expect(estimateCalibration(pours.toReversed())!.ticksPerMl).toBeCloseTo(ticksPerMl, 6);
    }),
  );
});

test('property: the result reproduces the measured total', () => {
  fc.assert(
    fc.property(fc.array(anyPour, { minLength: 1, maxLength: 20 }), (pours) => {
      const { ticksPerMl } = estimateCalibration(pours)!;
      const counted = pours.reduce((sum, { ticks }) => sum + ticks / ticksPerMl, 0);
      const measured = pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
      return Math.abs(counted / measured - 1) < 1e-9;
    }),
  );
});

test('a pour without ticks or without volume is ignored', () => {
  expect(estimateCalibration([])).toBeNull();
  expect(estimateCalibration([{ ticks: 0, volumeMl: 200 }])).toBeNull();
  expect(
    estimateCalibration([
      { ticks: 10, volumeMl: 0 },
      { ticks: 1_000, volumeMl: 200 },
    ])?.pours,
  ).toHaveLength(1);
});
