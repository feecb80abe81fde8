import { expect, test } from 'vitest';
import { type Evidence, isWorthOffering, learnFactor } from '../../../src/core/measurement/meter-learning.ts';
import { estimateCalibration, studentT } from '../../../src/core/measurement/weighed-pours.ts';
import { createRandom, share, simulateEmptiedKeg, simulatePour } from './simulated-evidence.ts';

const dayMs = 24 * 3_600_000;
const prior = { ticksPerMl: 5.4, uFactor: 0.06 };
const keg = (ticks: number, at: number): Evidence => ({
  kind: 'emptied_keg',
  ticks,
  volumeMl: 50_000,
  u: 0.005,
  fillGroup: 'a',
  timeMs: at * dayMs,
});

/** Kegs of a brewery with a random bias, two days apart, after calibration pours on the first day. */
function simulate(seed: number, { kegs, pours }: { kegs: number; pours: number }) {
  const random = createRandom(seed);
  const ticksPerMl = 5.4 * Math.exp(0.04 * random.normal());
  const bias = 0.005 * random.normal();
  const evidence: Evidence[] = [];
  if (pours > 0) {
    const measured = Array.from({ length: pours }, () => simulatePour(random, { ticksPerMl, ml: 1_000 }));
    const { uncertainty } = estimateCalibration(measured)!;
    const [ticks, volumeMl] = [sum(measured, 'ticks'), sum(measured, 'volumeMl')];
    evidence.push({
      kind: 'pours',
      ticks,
      volumeMl,
      u: uncertainty / studentT(pours - 1),
      fillGroup: null,
      timeMs: 0,
    });
  }
  for (let i = 1; i <= kegs; i++)
    evidence.push(simulateEmptiedKeg(random, { ticksPerMl, bias, timeMs: i * 2 * dayMs }));
  const learned = learnFactor(evidence, prior);
  return { learned, error: learned.ticksPerMl / ticksPerMl - 1 };
}

const sum = (measured: readonly { ticks: number; volumeMl: number }[], field: 'ticks' | 'volumeMl'): number =>
  measured.reduce((total, one) => total + one[field], 0);

test('without evidence the prior remains', () => {
  const learned = learnFactor([], prior);
  expect(learned.ticksPerMl).toBeCloseTo(5.4, 12);
  expect(learned.uFactor).toBeCloseTo(0.06, 12);
  expect(learned.steps).toEqual([]);
});

test('emptied kegs alone bring the factor to ±1 %, not further: their fill is unknown', () => {
  const learned = learnFactor(
    [1, 2, 3, 4, 5, 6].map((day) => keg(273_000, day)),
    prior,
  );
  expect(learned.ticksPerMl).toBeCloseTo(5.46, 2);
  expect(2 * learned.uFactor).toBeGreaterThan(0.01);
  expect(2 * learned.uFactor).toBeLessThan(0.0125);
});

test('calibration pours tell the fill of the kegs', () => {
  const pours: Evidence = {
    kind: 'pours',
    ticks: 32_400,
    volumeMl: 6_000,
    u: 0.0015,
    fillGroup: null,
    timeMs: 0,
  };
  const learned = learnFactor([pours, ...[1, 2, 3, 4, 5, 6].map((day) => keg(271_350, day))], prior);
  expect(learned.ticksPerMl).toBeCloseTo(5.4, 1);
  expect(learned.fillBias.get('a')).toBeGreaterThan(0.003);
  expect(2 * learned.uFactor).toBeLessThan(0.004);
});

test('a keg of another size is rejected and changes nothing', () => {
  const good = [1, 2, 3, 4].map((day) => keg(273_000, day));
  const wrong = { ...keg(273_000, 5), volumeMl: 30_000 };
  const learned = learnFactor([...good, wrong], prior);
  expect(learned.steps.map(({ isAccepted }) => isAccepted)).toEqual([true, true, true, true, false]);
  expect(learned.ticksPerMl).toBeCloseTo(learnFactor(good, prior).ticksPerMl, 3);
});

test('the interval widens with time', () => {
  const evidence = [1, 2, 3].map((day) => keg(273_000, day));
  const now = learnFactor(evidence, prior, 3 * dayMs);
  expect(learnFactor(evidence, prior, 400 * dayMs).uFactor).toBeGreaterThan(now.uFactor);
});

test('a change is offered when it exceeds half a per cent and the interval', () => {
  expect(isWorthOffering({ ticksPerMl: 5.46, uFactor: 0.003 }, 5.4)).toBe(true);
  expect(isWorthOffering({ ticksPerMl: 5.42, uFactor: 0.001 }, 5.4)).toBe(false);
  expect(isWorthOffering({ ticksPerMl: 5.46, uFactor: 0.006 }, 5.4)).toBe(false);
});

test('simulated: 20 kegs with 6 weighed pours bring the factor within 0.5 % in 95 % of the runs', () => {
  expect(
    share(400, (seed) => Math.abs(simulate(seed, { kegs: 20, pours: 6 }).error) <= 0.005),
  ).toBeGreaterThan(0.95);
});

test('simulated: 20 emptied kegs alone stay within 1 %, and their interval says so', () => {
  const runs = Array.from({ length: 400 }, (_, i) => simulate(i + 1, { kegs: 20, pours: 0 }));
  const covered = runs.filter(({ learned, error }) => Math.abs(error) <= 2 * learned.uFactor).length;
  expect(covered / runs.length).toBeGreaterThan(0.93);
  expect(covered / runs.length).toBeLessThan(0.98);
  expect(runs.filter(({ error }) => Math.abs(error) <= 0.012).length / runs.length).toBeGreaterThan(0.95);
});
