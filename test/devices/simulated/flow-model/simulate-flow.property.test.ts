import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crosstalk, mergeEdges } from '../../../../src/devices/simulated/flow-model/disturbances.ts';
import { createRandom } from '../../../../src/devices/simulated/flow-model/random.ts';
import type { Disturbance, FlowScenario } from '../../../../src/devices/simulated/flow-model/scenario.ts';
import { simulateFlow } from '../../../../src/devices/simulated/flow-model/simulate-flow.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const span = { atMs: number(0, 5_000), durationMs: number(0, 3_000) };

const meter = fc.record({
  ticksPerMl: number(0.1, 10),
  rollOffMlPerS: number(0, 3),
  stallMlPerS: number(0, 10),
  tauUpMs: number(1, 300),
  tauDownMs: number(1, 300),
  magnets: fc.integer({ min: 1, max: 12 }),
  unevenness: number(0, 0.15),
  jitterMs: number(0, 0.2),
  maxHz: fc.option(number(50, 3_000)),
});

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({ kind: fc.constant('burst' as const), ...span, hz: number(1, 1_000) }),
  fc.record({ kind: fc.constant('mains' as const), ...span, hz: fc.constantFrom(50, 60, 100, 120) }),
  fc.record({ kind: fc.constant('bounce' as const), share: number(0, 1), withinMs: number(0, 2) }),
);

const scenario: fc.Arbitrary<FlowScenario> = fc.record(
  {
    meter,
    flowMlPerS: number(0, 300),
    steps: fc
      .array(fc.record({ atMs: number(0, 6_000), valve: number(0, 1) }), { maxLength: 5 })
      .map((steps) => steps.toSorted((a, b) => a.atMs - b.atMs)),
    durationMs: number(0, 8_000),
    valveMs: number(0, 500),
    keg: fc.record({
      volumeMl: number(0, 500),
      gasRatio: number(1, 4),
      foamMs: number(0, 2_000),
      hasFob: fc.boolean(),
    }),
    foam: fc.array(fc.record({ ...span, ratio: number(0, 1.3) }), { maxLength: 2 }),
    unsteadiness: number(0, 0.05),
    leakMlPerS: number(0, 20),
    drips: fc.record({ everyMs: number(100, 5_000), ml: number(0, 5), ms: number(10, 500) }),
    reboundMl: number(0, 5),
    cleaning: fc.array(fc.record({ ...span, flowMlPerS: number(0, 60) }), { maxLength: 1 }),
    disturbances: fc.array(disturbance, { maxLength: 3 }),
    temperatureC: number(-2, 40),
    pressureBar: number(0, 4),
  },
  { requiredKeys: ['meter', 'flowMlPerS', 'steps'] },
);

const runs = { numRuns: process.env.TAPSTER_SLOW_TESTS === '1' ? 1_000 : 60 };

test('the same seed gives the same edges, in the order of their time, and no figure is not a number', () => {
  fc.assert(
    fc.property(scenario, fc.integer(), (one, seed) => {
      const flow = simulateFlow(one, seed);
      expect(simulateFlow(one, seed)).toEqual(flow);
      for (let i = 0; i < flow.stampsMs.length; i++) {
        expect(Number.isFinite(flow.stampsMs[i])).toBe(true);
        if (i > 0) expect(flow.stampsMs[i]! >= flow.stampsMs[i - 1]!).toBe(true);
      }
      const { beerMl, foamMl, foamBeerMl, gasMl, waterMl, backMl } = flow;
      for (const ml of [beerMl, foamMl, foamBeerMl, gasMl, waterMl, backMl])
        expect(ml).toBeGreaterThanOrEqual(0);
    }),
    runs,
  );
});

test('ticks are the volume times the calibration, less what friction, stall and lag explain', () => {
  fc.assert(
    fc.property(scenario, fc.integer(), (one, seed) => {
      const { wheelTicks, beerMl, foamMl, gasMl, waterMl, backMl } = simulateFlow(one, seed);
      const ml = beerMl + foamMl + gasMl + waterMl + backMl;
      const { ticksPerMl, tauUpMs, tauDownMs, unevenness } = one.meter;
      // A wheel gains while it slows down what it lost while it sped up, times the ratio of the two lags: both integrals are
      // of one change of speed. In steps of 1 ms the ratio is that of the shares that a step makes up.
      const lagRatio = (1 - Math.exp(-1 / tauUpMs)) / (1 - Math.exp(-1 / tauDownMs));
      const mostMl = ml * Math.max(1, lagRatio);
      expect(wheelTicks).toBeLessThanOrEqual(ticksPerMl * mostMl + one.meter.magnets * (1 + unevenness) + 2);
    }),
    runs,
  );
});

test('a keg gives no more beer than it has, and phases are in order and do not overlap', () => {
  fc.assert(
    fc.property(scenario, fc.integer(), (one, seed) => {
      const { beerMl, foamBeerMl, gasMl, phases, durationMs } = simulateFlow(one, seed);
      if (one.keg !== undefined && gasMl > 0) {
        // Foam after the keg is empty comes on top; the last step may go below zero, and a leak goes on.
        const leak = ((one.leakMlPerS ?? 0) * durationMs) / 1_000 + (one.drips === undefined ? 0 : 1_000);
        const swing = 10 * (one.reboundMl ?? 0);
        const detected = one.keg.hasFob ? one.flowMlPerS : 0;
        expect(beerMl).toBeLessThanOrEqual(one.keg.volumeMl + 2 + leak + swing + detected);
      }
      expect(foamBeerMl).toBeGreaterThanOrEqual(0);
      let endMs = 0;
      for (const phase of phases) {
        expect(phase.startMs).toBeGreaterThanOrEqual(endMs);
        expect(phase.endMs).toBeGreaterThan(phase.startMs);
        endMs = phase.endMs;
      }
      expect(endMs).toBeLessThanOrEqual(durationMs);
    }),
    runs,
  );
});

test('crosstalk is a part of the edges of the other line, a little later', () => {
  const flow = simulateFlow(
    {
      meter: {
        ticksPerMl: 5,
        rollOffMlPerS: 0.4,
        stallMlPerS: 4,
        tauUpMs: 90,
        tauDownMs: 80,
        magnets: 4,
        unevenness: 0.05,
        jitterMs: 0.05,
        maxHz: null,
      },
      flowMlPerS: 60,
      steps: [
        { atMs: 0, valve: 1 },
        { atMs: 3_000, valve: 0 },
      ],
    },
    1,
  );
  const picked = crosstalk(flow.stampsMs, { share: 0.9, lagMs: 0.1 }, createRandom(2));
  expect(picked.length / flow.stampsMs.length).toBeGreaterThan(0.85);
  const sources = Array.from(flow.stampsMs);
  for (const at of picked) expect(sources.some((one) => at >= one && at <= one + 0.1)).toBe(true);
  expect(mergeEdges(flow.stampsMs, picked)).toHaveLength(flow.stampsMs.length + picked.length);
});
