import { expect, test } from 'vitest';
import { driftChart, findDrift } from '../../../src/core/measurement/drift.ts';
import { type Evidence, learnFactor } from '../../../src/core/measurement/meter-learning.ts';
import { createRandom, median, simulateEmptiedKeg } from './simulated-evidence.ts';

const dayMs = 24 * 3_600_000;
const known = { kind: 'pours', u: 0.002, fillGroup: null, timeMs: 0 } as const;

/** Deviations of emptied kegs from what their meter is known to count; from `stepAt` on it counts `step` more. */
function simulateDeviations(seed: number, kegs: number, { stepAt, step }: { stepAt: number; step: number }) {
  const random = createRandom(seed);
  const bias = 0.005 * random.normal();
  const evidence: Evidence[] = [{ ...known, ticks: 32_400, volumeMl: 6_000 }];
  for (let i = 1; i <= kegs; i++) {
    const ticksPerMl = 5.4 * (i > stepAt ? 1 + step : 1);
    evidence.push(simulateEmptiedKeg(random, { ticksPerMl, bias, timeMs: i * 4 * dayMs }));
  }
  return learnFactor(evidence, { ticksPerMl: 5.4, uFactor: 0.06 }).steps.map(({ deviation }) => deviation);
}

test('a shift by two standard deviations raises the alarm at the fourth piece of evidence', () => {
  expect(findDrift([0, 0, 2, 2, 2, 2])).toEqual({ direction: 'high', at: 5 });
  expect(findDrift([0, 0, -2, -2, -2, -2])).toEqual({ direction: 'low', at: 5 });
});

test('one wrong keg raises no alarm', () => {
  expect(findDrift([0, 12, 0, 0, 0])).toBeNull();
  expect(driftChart([12, 0])).toEqual([
    { high: 2.5, low: 0, mean: expect.closeTo(0.6, 12) },
    { high: 2, low: 0, mean: expect.closeTo(0.48, 12) },
  ]);
});

test('simulated: a change by 2 % is found in a median of at most 6 kegs, in both directions', () => {
  for (const step of [0.02, -0.02]) {
    const delays = Array.from({ length: 200 }, (_, i) => {
      const drift = findDrift(simulateDeviations(i + 1, 60, { stepAt: 15, step }).slice(16));
      return drift === null ? 99 : drift.at + 1;
    });
    expect(median(delays)).toBeLessThanOrEqual(6);
    expect(delays.filter((delay) => delay === 99).length).toBeLessThan(10);
  }
});

test('simulated: less than one false alarm in 400 kegs', () => {
  let [kegs, alarms] = [0, 0];
  for (let seed = 1; seed <= 60; seed++) {
    let rest = simulateDeviations(seed, 400, { stepAt: Number.POSITIVE_INFINITY, step: 0 });
    kegs += rest.length;
    for (let drift = findDrift(rest); drift !== null; drift = findDrift(rest)) {
      alarms++;
      rest = rest.slice(drift.at + 1);
    }
  }
  expect(kegs / alarms).toBeGreaterThan(400);
});
