import { expect, test } from 'vitest';
import { createRandom, generatePour } from '../core/measurement/pulse-generator.ts';
import { countEdges } from './count-edges.ts';

/** The tap's usual rate. */
const openRate = { ticksPerS: 160, isLearned: true } as const;

const every = (gapMs: number, ticks: number, fromMs: number) =>
  Array.from({ length: ticks }, (_, i) => fromMs + i * gapMs);

test('gas is reported once, while the pour still runs, and ends the beer at its onset', () => {
  const scenario = {
    ticksPerMl: 2.7,
    flow: 60,
    steps: [{ atMs: 0, valve: 1 }],
    durationMs: 9_000,
    empty: { atMs: 4_000, foamMs: 800, gasRatio: 2.5 },
  };
  const { stampsMs, beerTicks } = generatePour(scenario, createRandom(1));
  const { gas: reports, ended } = countEdges(stampsMs, { openRate, minGapMs: 0.05 });
  expect(reports).toMatchObject([{ meter: 'pi.flow0', pourId: 'p1' }]);
  expect(ended).toMatchObject([{ ticks: stampsMs.length, doubts: [], gas: { class: 'gas' } }]);
  const { gas, ticks } = ended[0]!;
  expect(Math.abs(ticks - gas!.ticks - beerTicks)).toBeLessThan(60);
});

test('a pour that doubles its rate while the keg certainly has beer is a hand that opens further', () => {
  const stamps = [...every(6.25, 640, 1_000), ...every(3, 600, 5_000)];
  expect(countEdges(stamps, { openRate }).gas).toHaveLength(1);
  const certain = countEdges(stamps, { openRate, certainTicks: 5_000 });
  expect(certain.gas).toEqual([]);
  expect(certain.ended).toMatchObject([{ doubts: [], gas: null }]);
});

test('gas above the edge filter’s limit is gas, not electrical noise', () => {
  // 900 Hz: every second edge comes too soon for the filter.
  const { gas, ended } = countEdges([...every(6.25, 480, 1_000), ...every(1.11, 1_800, 4_000)], { openRate });
  expect(gas).toHaveLength(1);
  expect(ended).toMatchObject([{ doubts: [], gas: { class: 'gas' } }]);
  expect(ended[0]!.rejectedEdges).toBeGreaterThan(800);
});

test('random pulses that start from silence are electrical noise, not gas', () => {
  const random = createRandom(7);
  for (const hz of [50, 200, 600]) {
    const stamps: number[] = [];
    for (let ms = 1_000; ms < 5_000; ms += (-Math.log(1 - random()) * 1_000) / hz) stamps.push(ms);
    const { gas, ended } = countEdges(stamps, { openRate });
    expect(gas).toEqual([]);
    expect(ended).toMatchObject([{ doubts: ['electrical_noise'] }]);
    expect(ended[0]!.gas ?? null).toBeNull();
  }
});

test('pulses at exactly the mains’ frequency are electrical noise', () => {
  const { ended } = countEdges(every(10, 400, 1_000), { openRate });
  expect(ended).toMatchObject([{ doubts: ['electrical_noise'] }]);
});

test('a wheel that starts and stops is neither', () => {
  const scenario = { ticksPerMl: 2.7, flow: 60, steps: [{ atMs: 0, valve: 1 }], durationMs: 6_000 };
  for (let seed = 1; seed <= 20; seed++) {
    const { gas, ended } = countEdges(generatePour(scenario, createRandom(seed)).stampsMs, { openRate });
    expect(gas).toEqual([]);
    expect(ended).toMatchObject([{ doubts: [], gas: null }]);
  }
});
