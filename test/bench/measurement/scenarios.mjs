// The kinds of pours, and their share of all. Each `create` returns one pour: its tap, the flow of each line, and what is true.
import { crosstalk, mergeEdges } from '../../../dist/devices/simulated/flow-model/disturbances.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';
import { nominal, seedOf } from './taps.mjs';

const pick = (list, random) => list[Math.floor(random.next() * list.length)];
const tapOf = (taps, random, fits = () => true) => pick(taps.filter(fits), random);
const simulate = (tap, random, change) => simulateFlow(nominal(tap, random, change), seedOf(random));
const one = (tap, random, change) => ({ tap, flows: [simulate(tap, random, change)] });

/** Open for a glass, at full or other openings. */
const openFor = (ms, valve = 1) => [
  { atMs: 0, valve },
  { atMs: ms, valve: 0 },
];

/** A keg that runs empty in the pour, and a guest who waits for some seconds before shutting the tap. */
function runsEmpty(taps, random, { ratio, fits, hasFob = false }) {
  const tap = tapOf(taps, random, fits);
  const keg = {
    volumeMl: tap.flowMlPerS * random.between(1.5, 6),
    gasRatio: ratio(tap),
    foamMs: random.between(200, 2_000),
    hasFob,
  };
  return one(tap, random, { keg, steps: openFor(14_000) });
}

/** The same while the default rate of the meter's model stands in for the tap's own. */
const atFirst = ({ tap, ...rest }) => ({ ...rest, tap: { ...tap, openRate: tap.firstRate } });

const noiseAt = (taps, random, disturbance) => {
  const tap = tapOf(taps, random);
  return one(tap, random, { steps: [], disturbances: [disturbance] });
};

export const scenarios = {
  clean: {
    share: 0.12,
    create: (taps, random) =>
      one(tapOf(taps, random), random, { steps: openFor(random.between(2_000, 9_000)) }),
  },
  throttled: {
    share: 0.1,
    create(taps, random) {
      const steps = Array.from({ length: 1 + Math.floor(random.between(1, 4)) }, (_, i) => ({
        atMs: i * random.between(1_200, 2_500),
        valve: random.between(0.35, 1),
      }));
      return one(tapOf(taps, random), random, {
        steps: [...steps, { atMs: steps.at(-1).atMs + 2_500, valve: 0 }],
      });
    },
  },
  'half, then full': {
    share: 0.05,
    create(taps, random) {
      const half = random.between(1_500, 4_000);
      const steps = [
        { atMs: 0, valve: random.between(0.3, 0.6) },
        { atMs: half, valve: 1 },
        { atMs: half + 4_000, valve: 0 },
      ];
      return one(tapOf(taps, random), random, { steps });
    },
  },
  'stop and go': {
    share: 0.05,
    create(taps, random) {
      const steps = [];
      for (let i = 0, atMs = 0; i < 3; i++) {
        steps.push({ atMs, valve: 1 });
        atMs += random.between(600, 2_500);
        steps.push({ atMs, valve: 0 });
        atMs += random.between(400, 3_500);
      }
      return one(tapOf(taps, random), random, { steps, reboundMl: random.between(0, 1.5) });
    },
  },
  'foam, up to 1.2': {
    share: 0.08,
    create(taps, random) {
      const slug = () => ({
        atMs: random.between(0, 5_000),
        durationMs: random.between(200, 2_000),
        ratio: random.between(0.6, 1.2),
      });
      return one(tapOf(taps, random), random, { steps: openFor(8_000), foam: [slug(), slug(), slug()] });
    },
  },
  'FOB stop': {
    share: 0.05,
    create: (taps, random) => runsEmpty(taps, random, { ratio: () => 2, hasFob: true }),
  },
  'gas 2 to 4': {
    share: 0.12,
    create: (taps, random) => runsEmpty(taps, random, { ratio: () => random.between(2, 4) }),
  },
  'gas 1.5': {
    share: 0.05,
    create: (taps, random) =>
      runsEmpty(taps, random, { ratio: () => 1.5, fits: ({ ticksPerMl }) => ticksPerMl >= 2.6 }),
  },
  'no pours yet, half, then full': {
    share: 0.05,
    create: (taps, random) => atFirst(scenarios['half, then full'].create(taps, random)),
  },
  'no pours yet, gas 2 to 4': {
    share: 0.05,
    create: (taps, random) => atFirst(scenarios['gas 2 to 4'].create(taps, random)),
  },
  'gas above 833 Hz': {
    share: 0.05,
    create: (taps, random) =>
      runsEmpty(taps, random, {
        // At the lowest flow of an evening it is still above.
        ratio: ({ ticksPerMl, flowMlPerS }) => Math.max(2, 900 / (0.85 * flowMlPerS * ticksPerMl)),
        fits: ({ ticksPerMl }) => ticksPerMl >= 5,
      }),
  },
  noise: {
    share: 0.08,
    create: (taps, random) =>
      noiseAt(taps, random, {
        kind: 'burst',
        atMs: 0,
        durationMs: random.between(300, 4_000),
        hz: random.between(50, 1_000),
      }),
  },
  mains: {
    share: 0.05,
    create: (taps, random) =>
      noiseAt(taps, random, {
        kind: 'mains',
        atMs: 0,
        durationMs: random.between(1_000, 6_000),
        hz: pick([50, 60, 100, 120], random),
      }),
  },
  crosstalk: {
    share: 0.05,
    create(taps, random) {
      const tap = tapOf(taps, random);
      const flow = simulate(tap, random, { steps: openFor(random.between(2_000, 7_000)) });
      const picked = crosstalk(flow.stampsMs, { share: random.between(0.85, 1), lagMs: 0.1 }, random);
      return { tap, flows: [{ ...flow, stampsMs: picked, beerMl: 0 }, flow] };
    },
  },
  'two taps at once': {
    share: 0.05,
    create(taps, random) {
      const tap = tapOf(taps, random);
      const openMs = random.between(500, 7_000);
      const lateMs = random.between(0, 300);
      const other = [
        { atMs: lateMs, valve: 1 },
        { atMs: openMs + random.between(0, 600), valve: 0 },
      ];
      // The same model of meter at the same flow: the most alike that two taps can be.
      const scenario = nominal(tap, random, { steps: openFor(openMs) });
      const flow = simulateFlow(scenario, seedOf(random));
      return { tap, flows: [flow, simulateFlow({ ...scenario, steps: other }, seedOf(random))] };
    },
  },
  'burst on all taps': {
    share: 0.05,
    create(taps, random) {
      const tap = tapOf(taps, random);
      const burst = {
        kind: 'burst',
        atMs: 0,
        durationMs: random.between(300, 2_000),
        hz: random.between(50, 1_000),
      };
      const flow = simulate(tap, random, { steps: [], disturbances: [burst] });
      const other = { ...flow, stampsMs: crosstalk(flow.stampsMs, { share: 1, lagMs: 0.1 }, random) };
      return { tap, flows: [flow, other] };
    },
  },
  'pour with a burst': {
    share: 0.05,
    create(taps, random) {
      const tap = tapOf(taps, random);
      const flow = simulate(tap, random, { steps: openFor(5_000) });
      const burst = {
        kind: 'burst',
        atMs: 2_000,
        durationMs: random.between(20, 200),
        hz: random.between(100, 1_000),
      };
      const noise = simulate(tap, random, { steps: [], durationMs: 6_000, disturbances: [burst] });
      return { tap, flows: [{ ...flow, stampsMs: mergeEdges(flow.stampsMs, noise.stampsMs) }] };
    },
  },
  'a drop or two': {
    share: 0.05,
    create: (taps, random) =>
      one(tapOf(taps, random), random, {
        steps: openFor(random.between(20, 90)),
        valveMs: 50,
        reboundMl: 0.5,
      }),
  },
};
