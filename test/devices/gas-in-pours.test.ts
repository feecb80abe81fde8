import { expect, test } from 'vitest';
import { type BusEvent, createEventBus } from '../../src/core/event-bus.ts';
import type { EndedPour } from '../../src/core/pours/pour.ts';
import { createMeterFeed } from '../../src/devices/meter-feed.ts';
import { createRandom, generatePour } from '../core/measurement/pulse-generator.ts';

/** Counts edges as the daemon does, in drains of 50 ms; the tap's usual rate is 160 ticks per second. */
function count(stampsMonoMs: readonly number[], minGapMs = 1.2) {
  const gasEvents: BusEvent[] = [];
  const ended: EndedPour[] = [];
  const bus = createEventBus((fault) => {
    throw fault;
  });
  bus.on('pour.gas', (event) => gasEvents.push(event));
  bus.on('pour.ended', ({ pour }) => ended.push(pour));
  let untilMonoMs = 0;
  let from = 0;
  const feed = createMeterFeed({
    input: {
      drain() {
        untilMonoMs += 50;
        const to = stampsMonoMs.findIndex((stamp, i) => i >= from && stamp > untilMonoMs);
        const batch = stampsMonoMs.slice(from, to < 0 ? undefined : to);
        from += batch.length;
        return {
          lines: batch.length > 0 ? [{ meter: 'pi.flow0', stampsMonoMs: batch, lost: 0 }] : [],
          untilMonoMs,
        };
      },
    },
    meters: [
      {
        name: 'pi.flow0',
        minGapMs,
        idleMs: 5_000,
        minTicks: 3,
        maxMs: 300_000,
        hasExactStamps: true,
      },
    ],
    bus,
    ids: { next: () => 'p1' },
    bootId: 'boot-a',
    judgement: { noiseShare: 0.2, simultaneousMs: 20 },
    findFacts: () => ({ minTicks: 27, openRate: { ticksPerS: 160, isLearned: true } }),
    onFault: (fault) => {
      throw fault;
    },
  });
  while (untilMonoMs < (stampsMonoMs.at(-1) ?? 0) + 6_000) feed.poll();
  return { gasEvents, ended };
}

const every = (gapMs: number, ticks: number, fromMs: number) =>
  Array.from({ length: ticks }, (_, i) => fromMs + i * gapMs);

test('gas is reported once, while the pour still runs, and ends the beer at its onset', () => {
  const scenario = {
    ...{ ticksPerMl: 2.7, flow: 60, steps: [{ atMs: 0, valve: 1 }], durationMs: 9_000 },
    empty: { atMs: 4_000, foamMs: 800, gasRatio: 2.5 },
  };
  const { stampsMs, beerTicks } = generatePour(scenario, createRandom(1));
  const { gasEvents, ended } = count(stampsMs, 0.05);
  expect(gasEvents).toMatchObject([{ meter: 'pi.flow0', pourId: 'p1' }]);
  expect(ended).toMatchObject([{ ticks: stampsMs.length, doubts: [], gas: { class: 'gas' } }]);
  const { gas, ticks } = ended[0]!;
  expect(Math.abs(ticks - gas!.ticks - beerTicks)).toBeLessThan(60);
});

test('gas above the edge filter’s limit is gas, not electrical noise', () => {
  // 900 Hz: every second edge comes too soon for the filter.
  const { gasEvents, ended } = count([...every(6.25, 480, 1_000), ...every(1.11, 1_800, 4_000)]);
  expect(gasEvents).toHaveLength(1);
  expect(ended).toMatchObject([{ doubts: [], gas: { class: 'gas' } }]);
  expect(ended[0]!.rejectedEdges).toBeGreaterThan(800);
});

test('random pulses that start from silence are electrical noise, not gas', () => {
  const random = createRandom(7);
  for (const hz of [50, 200, 600]) {
    const stamps: number[] = [];
    for (let ms = 1_000; ms < 5_000; ms += (-Math.log(1 - random()) * 1_000) / hz) stamps.push(ms);
    const { gasEvents, ended } = count(stamps);
    expect(gasEvents).toEqual([]);
    expect(ended).toMatchObject([{ doubts: ['electrical_noise'] }]);
    expect(ended[0]!.gas ?? null).toBeNull();
  }
});

test('pulses at exactly the mains’ frequency are electrical noise', () => {
  const { ended } = count(every(10, 400, 1_000));
  expect(ended).toMatchObject([{ doubts: ['electrical_noise'] }]);
});

test('a wheel that starts and stops is neither', () => {
  const scenario = { ticksPerMl: 2.7, flow: 60, steps: [{ atMs: 0, valve: 1 }], durationMs: 6_000 };
  for (let seed = 1; seed <= 20; seed++) {
    const { gasEvents, ended } = count(generatePour(scenario, createRandom(seed)).stampsMs);
    expect(gasEvents).toEqual([]);
    expect(ended).toMatchObject([{ doubts: [], gas: null }]);
  }
});
