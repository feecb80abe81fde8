import { expect, test } from 'vitest';
import { bestRate } from '../../../src/core/measurement/tap-rate.ts';
import { parseTickSeries } from '../../../src/core/pours/tick-series.ts';
import { drawMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom, type Random } from '../../../src/devices/simulated/flow-model/random.ts';
import type { FlowScenario, SimulatedMeter } from '../../../src/devices/simulated/flow-model/scenario.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';
import { countEdges } from '../count-edges.ts';

/** Pours of each kind and meter; `TAPSTER_MEASURE_POURS=180` gives 10 000 and prints the table. */
const pours = Number(process.env.TAPSTER_MEASURE_POURS ?? 8);

/** Ticks per millilitre, least flow and highest rate of four common meters. */
const meters = [
  { ticksPerMl: 0.45, minLPerMin: 1, maxHz: 225 },
  { ticksPerMl: 0.98, minLPerMin: 0.5, maxHz: 245 },
  { ticksPerMl: 2.695, minLPerMin: 0.76, maxHz: 343 },
  { ticksPerMl: 5.4, minLPerMin: 0.5, maxHz: 2_030 },
] as const;

type Kind = (typeof kinds)[number];
const kinds = [
  'clean',
  'throttled',
  'stop-go',
  'gas 2-4x',
  'gas 1.5x',
  'foam',
  'FOB stop',
  'burst',
  'mains',
] as const;

interface Tally {
  pours: number;
  gas: number;
  suspect: number;
  held: number;
  onTime: number;
  delays: number[];
}

function makeScenario(kind: Kind, meter: SimulatedMeter, flowMlPerS: number, random: Random): FlowScenario {
  const openMs = random.between(3_000, 9_000);
  const beerMs = random.between(1_500, 6_000);
  const open = (fromMs: number, untilMs: number, valve = 1) => [
    { atMs: fromMs, valve },
    { atMs: untilMs, valve: 0 },
  ];
  const base = {
    meter,
    flowMlPerS,
    unsteadiness: random.between(0.005, 0.03),
    steps: open(500, 500 + openMs),
  };
  const empties = (gasRatio: number, hasFob = false): FlowScenario => ({
    ...base,
    steps: open(500, 500 + beerMs + 5_000),
    keg: {
      volumeMl: (flowMlPerS * beerMs) / 1_000,
      gasRatio,
      foamMs: random.between(200, 2_000),
      hasFob,
    },
  });
  const silent = { ...base, steps: [{ atMs: 0, valve: 0 }], durationMs: 8_000 };
  const span = { atMs: 1_000, durationMs: random.between(1_500, 6_000) };
  switch (kind) {
    case 'clean':
      return base;
    case 'throttled':
      return {
        ...base,
        steps: [
          ...open(500, 500 + openMs, random.between(0.3, 0.8)).slice(0, 1),
          ...open(500 + openMs / 2, 500 + openMs),
        ],
      };
    case 'stop-go':
      return { ...base, steps: [...open(500, 2_000), ...open(2_800, 4_000, 0.5), ...open(4_500, 7_000)] };
    case 'gas 2-4x':
      return empties(random.between(2, 4));
    case 'gas 1.5x':
      return empties(1.5);
    case 'foam':
      return {
        ...base,
        foam: [{ atMs: 1_500, durationMs: random.between(200, 2_000), ratio: random.between(0.6, 1.2) }],
      };
    case 'FOB stop':
      return empties(2, true);
    case 'burst':
      return { ...silent, disturbances: [{ kind: 'burst', hz: random.between(50, 1_000), ...span }] };
    case 'mains':
      return {
        ...silent,
        disturbances: [{ kind: 'mains', hz: [50, 60, 100, 120][Math.floor(random.between(0, 4))]!, ...span }],
      };
  }
}

/** Rates of ten clean pours, a third of them throttled: what the daemon learns of the tap. */
function learnRate(meter: SimulatedMeter, flowMlPerS: number, random: Random, minGapMs: number): number {
  const rates = Array.from({ length: 10 }, (_, i) => {
    const steps = [
      { atMs: 200, valve: i % 3 === 0 ? random.between(0.4, 0.9) : 1 },
      { atMs: 3_200, valve: 0 },
    ];
    const flow = flowMlPerS * random.between(0.9, 1.1);
    const { stampsMs } = simulateFlow({ meter, flowMlPerS: flow, steps }, Math.floor(random.next() * 1e9));
    const openRate = { ticksPerS: 1e9, isLearned: true };
    const [pour] = countEdges(stampsMs, { openRate, minGapMs }).ended;
    return pour === undefined ? 0 : (bestRate(parseTickSeries(pour.series)!, pour.durationMs) ?? 0);
  }).sort((a, b) => a - b);
  return rates[Math.floor((rates.length - 1) * 0.75)]!;
}

function judge(figures: (typeof meters)[number]): Map<Kind, Tally> {
  const random = createRandom(Math.round(figures.ticksPerMl * 1_000));
  const minGapMs = (0.4 / figures.maxHz) * 1_000;
  const tallies = new Map<Kind, Tally>();
  for (let tap = 0; tap < Math.max(4, pours / 8); tap++) {
    const meter = drawMeter(figures, random);
    const flowMlPerS = random.between(40, 80);
    const openRate = { ticksPerS: learnRate(meter, flowMlPerS, random, minGapMs), isLearned: true };
    for (const kind of kinds) {
      const tally = tallies.get(kind) ?? { pours: 0, gas: 0, suspect: 0, held: 0, onTime: 0, delays: [] };
      tallies.set(kind, tally);
      for (let i = 0; i < Math.ceil(pours / Math.max(4, pours / 8)); i++) {
        const scenario = makeScenario(kind, meter, flowMlPerS * random.between(0.9, 1.1), random);
        const flow = simulateFlow(scenario, Math.floor(random.next() * 1e9));
        const { ended, gas } = countEdges(flow.stampsMs, { openRate, minGapMs });
        const findings = ended.flatMap((pour) => pour.gas ?? []);
        tally.pours++;
        if (ended.some(({ doubts }) => doubts.length > 0)) tally.held++;
        if (findings.length > 0) tally.suspect++;
        if (!findings.some(({ class: found }) => found === 'gas')) continue;
        tally.gas++;
        const gasFromMs = flow.phases.find((phase) => phase.kind === 'gas')?.startMs;
        if (gasFromMs === undefined || gas[0] === undefined) continue;
        tally.delays.push(gas[0].atMonoMs - gasFromMs);
        if (Math.abs(flow.stampsMs[0]! + gas[0].onsetMs - gasFromMs) <= 300) tally.onTime++;
      }
    }
  }
  return tallies;
}

test.each(meters)(
  'pours through a meter of $ticksPerMl ticks per mL are classified',
  (figures) => {
    const tallies = judge(figures);
    const share = (kind: Kind, of: 'gas' | 'suspect' | 'held') =>
      tallies.get(kind)![of] / tallies.get(kind)!.pours;
    const p95 = (kind: Kind) => {
      const delays = tallies.get(kind)!.delays.toSorted((a, b) => a - b);
      return delays[Math.floor(delays.length * 0.95)] ?? 0;
    };
    if (process.env.TAPSTER_MEASURE_POURS !== undefined) {
      for (const [kind, tally] of tallies) {
        const percent = (n: number) => `${((100 * n) / tally.pours).toFixed(1)} %`.padStart(8);
        const columns = [
          percent(tally.gas),
          percent(tally.suspect),
          percent(tally.held),
          `${p95(kind)} ms`.padStart(8),
        ];
        const onTime = tally.delays.length > 0 ? percent(tally.onTime) : '';
        console.log([figures.ticksPerMl, kind.padEnd(10), tally.pours, ...columns, onTime].join(' | '));
      }
    }
    for (const kind of ['clean', 'throttled', 'stop-go'] as const) {
      expect(share(kind, 'gas'), kind).toBeLessThanOrEqual(0.001);
      expect(share(kind, 'held'), kind).toBeLessThanOrEqual(0.005);
    }
    expect(share('gas 2-4x', 'gas')).toBeGreaterThanOrEqual(0.99);
    expect(p95('gas 2-4x')).toBeLessThanOrEqual(figures.ticksPerMl >= 0.9 ? 700 : 1_200);
    if (figures.ticksPerMl >= 2.6) expect(share('gas 1.5x', 'suspect')).toBeGreaterThanOrEqual(0.95);
    for (const kind of ['foam', 'FOB stop'] as const) expect(share(kind, 'gas'), kind).toBeLessThan(0.02);
    for (const kind of ['burst', 'mains'] as const) {
      expect(share(kind, 'held'), kind).toBeGreaterThanOrEqual(0.99);
      expect(share(kind, 'gas'), kind).toBeLessThan(0.005);
    }
  },
  600_000,
);
