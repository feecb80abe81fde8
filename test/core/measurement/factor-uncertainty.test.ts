import { expect, test } from 'vitest';
import { factorUncertainty, learnMeter } from '../../../src/core/measurement/meter-knowledge.ts';
import type { Evidence } from '../../../src/core/measurement/meter-learning.ts';
import { createRandom, simulateEmptiedKeg } from './simulated-evidence.ts';

const dayMs = 24 * 3_600_000;
const runs = 60;
const weeks = 6;
const factor = 5.4;

/**
 * Share of pints whose ± holds, by week, while nobody applies what was learned: a meter calibrated by six weighed litres, ten kegs, one
 * every two days, and then such a change of its factor.
 */
function coverageByWeek(shareAt: (day: number) => number): readonly number[] {
  const random = createRandom(3);
  const held = Array<number>(weeks).fill(0);
  for (let run = 0; run < runs; run++) {
    const bias = 0.005 * random.normal();
    const used = factor * (1 + 0.003 * random.normal());
    const evidence: Evidence[] = [
      { kind: 'pours', ticks: used * 6_000, volumeMl: 6_000, u: 0.003, fillGroup: null, timeMs: 0 },
    ];
    for (let day = -20; day < 7 * weeks; day++) {
      const timeMs = (day + 21) * dayMs;
      if (day % 2 === 0)
        evidence.push(simulateEmptiedKeg(random, { ticksPerMl: factor * shareAt(day - 1), bias, timeMs }));
      if (day < 0) continue;
      const learned = learnMeter(evidence, { ticksPerMl: used, uFactor: 0.06 }, timeMs);
      // What a pint has besides its factor: 0.3 % and half of a start.
      const rest = Math.hypot(0.003, 0.0025);
      const error = (factor * shareAt(day)) / used - 1 + rest * random.normal();
      const u = Math.hypot(factorUncertainty(learned, used), rest);
      if (Math.abs(error) <= 2 * u) held[Math.floor(day / 7)]!++;
    }
  }
  return held.map((count) => count / (7 * runs));
}

test('a drift of −3 % in 30 days: the ± of a pint holds in most pours of each week, though nobody acts', () => {
  const [first, second, third, ...later] = coverageByWeek(
    (day) => 1 - 0.03 * Math.min(1, Math.max(0, day / 30)),
  );
  expect(first).toBeGreaterThan(0.85);
  expect(second).toBeGreaterThan(0.7);
  expect(third).toBeGreaterThan(0.85);
  for (const share of later) expect(share).toBeGreaterThan(0.95);
});

test('after a step of −3 % it holds in most pours again from the second week on', () => {
  const [, second, ...later] = coverageByWeek((day) => (day >= 0 ? 0.97 : 1));
  expect(second).toBeGreaterThan(0.5);
  for (const share of later) expect(share).toBeGreaterThan(0.75);
});

test('that of a meter which does not change holds, and is hardly wider', () => {
  for (const share of coverageByWeek(() => 1)) expect(share).toBeGreaterThan(0.94);
});
