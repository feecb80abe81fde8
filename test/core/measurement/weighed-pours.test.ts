import fc from 'fast-check';
import { expect, test } from 'vitest';
import { estimateCalibration } from '../../../src/core/measurement/weighed-pours.ts';
import { createRandom, share, simulatePour } from './simulated-evidence.ts';

test('a single pour gives its own value, without a spread', () => {
  expect(estimateCalibration([{ ticks: 1_100, volumeMl: 200 }])).toEqual({
    ticksPerMl: 5.5,
    pours: [{ ticks: 1_100, volumeMl: 200, ticksPerMl: 5.5, deviation: 0, isOutlier: false }],
    spread: null,
    // Reading of a jug 1 %, the meter 0.5 %.
    uncertainty: expect.closeTo(0.0224, 4),
    morePours: 20,
    line: null,
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

/** Eight half litres on a scale with a resolution of 1 g. */
const weighed = [0.004, -0.006, 0.001, 0.007, -0.003, 0.002, -0.008, 0.003].map((off) => ({
  ticks: Math.round(2_700 * (1 + off)),
  volumeMl: 500,
  uMl: 1.4,
}));

test('the interval is that of Student: t(n-1)·s/√n', () => {
  // s = 0.518 %, t(7) = 2.365.
  expect(estimateCalibration(weighed)?.uncertainty).toBeCloseTo((2.365 * 0.00518) / Math.sqrt(8), 4);
});

test('tells how many more pours bring the interval to the wanted one', () => {
  const five = weighed.slice(0, 5);
  const { uncertainty, morePours } = estimateCalibration(five)!;
  expect(uncertainty).toBeGreaterThan(0.005);
  expect(morePours).toBe(2);
  expect(estimateCalibration(weighed)?.morePours).toBe(0);
  expect(estimateCalibration(weighed, { wanted: 0.0001 })?.morePours).toBeNull();
});

test('what all pours have in common does not get less with more of them', () => {
  const { uncertainty, morePours } = estimateCalibration(weighed, { uCommon: 0.004 })!;
  expect(uncertainty).toBeGreaterThan(0.008);
  expect(morePours).toBeNull();
});

test('a weighed pour that is 2 % off is an outlier, one read in a jug is none', () => {
  const off = { ticks: 2_754, volumeMl: 500 };
  const isOutlier = (uMl?: number) =>
    estimateCalibration(
      [1, 2, 3, 4]
        .map(() => ({ ticks: 2_700, volumeMl: 500, ...(uMl && { uMl }) }))
        .concat({ ...off, ...(uMl && { uMl }) }),
    )!.pours.at(-1)!.isOutlier;
  expect(isOutlier(1.4)).toBe(true);
  expect(isOutlier()).toBe(false);
});

test('pours of sizes that differ by 3 or more tell what each pour has besides its volume', () => {
  const pours = [200, 250, 800, 1_000].map((ml) => ({ ticks: 5.4 * ml + 8, volumeMl: ml, uMl: 1 }));
  const { line } = estimateCalibration(pours)!;
  expect(line?.ticksPerMl).toBeCloseTo(5.4, 9);
  expect(line?.offsetTicks).toBeCloseTo(8, 6);
  expect(estimateCalibration(pours.slice(2))?.line).toBeNull();
  expect(estimateCalibration(weighed)?.line).toBeNull();
});

test('simulated: the intervals of 12 weighed pours contain the true factor in 93 to 97 % of the runs', () => {
  for (const ticksPerMl of [0.45, 2.7, 5.4]) {
    const covered = share(1_500, (seed) => {
      const random = createRandom(seed);
      const pours = Array.from({ length: 12 }, () => simulatePour(random, { ticksPerMl, ml: 500 }));
      const estimate = estimateCalibration(pours)!;
      return Math.abs(estimate.ticksPerMl / ticksPerMl - 1) <= estimate.uncertainty;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.97);
  }
});
