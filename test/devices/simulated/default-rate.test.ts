import { expect, test } from 'vitest';
import { defaultOpenHz, modelMinGapMs, readMeterCatalogue } from '../../../src/config/meter-catalogue.ts';
import { toOpenRate } from '../../../src/core/measurement/tap-rate.ts';
import { drawMeter } from '../../../src/devices/simulated/flow-model/meter-traits.ts';
import { createRandom, type Random } from '../../../src/devices/simulated/flow-model/random.ts';
import type { FlowScenario } from '../../../src/devices/simulated/flow-model/scenario.ts';
import { simulateFlow } from '../../../src/devices/simulated/flow-model/simulate-flow.ts';
import { firstRandomSeed, propertyRuns } from '../../kit/slow.ts';
import { countEdges } from '../count-edges.ts';

const pours = propertyRuns(40);
const catalogue = readMeterCatalogue();
/** A coarse, a middle and a fine meter. */
const models = ['yf-s201', 'ft330-rj', 'swissflow-sf800'] as const;

const steps = (...valve: readonly (readonly [atMs: number, opening: number])[]) =>
  valve.map(([atMs, opening]) => ({ atMs, valve: opening }));

/** Pours of a tap of which nothing is known yet, with a meter as far from its data sheet as its accuracy allows. */
function judge(
  id: string,
  flow: (random: Random) => Partial<FlowScenario>,
  [slowest, fastest]: readonly [number, number],
  isModelKnown = true,
) {
  const model = catalogue.get(id)!;
  const random = createRandom(firstRandomSeed(100 * model.ticksPerMl));
  const openRate = toOpenRate([], {
    ticksPerMl: model.ticksPerMl,
    isCalibrated: isModelKnown,
    modelHz: isModelKnown ? defaultOpenHz(model) : null,
  });
  return Array.from({ length: pours }, () => {
    const meter = drawMeter(model, random);
    const flowMlPerS = random.between(slowest, fastest);
    const scenario = { meter, flowMlPerS, steps: steps([100, 1], [6_000, 0]), ...flow(random) };
    const { stampsMs } = simulateFlow(scenario, Math.floor(random.next() * 1e9));
    const { ended } = countEdges(stampsMs, { openRate, minGapMs: modelMinGapMs(model) });
    return ended.some(({ gas }) => gas?.class === 'gas');
  });
}

const keg = (random: Random) => ({
  steps: steps([100, 1], [14_000, 0]),
  keg: {
    volumeMl: random.between(120, 300),
    gasRatio: random.between(2.5, 4),
    foamMs: random.between(200, 2_000),
    hasFob: false,
  },
});

test.each(models)('beer of a tap with a %s and no pours yet is no gas, however it is opened', (id) => {
  const flow = (random: Random) => ({
    steps: steps([100, random.between(0.3, 1)], [random.between(1_500, 4_000), 1], [8_000, 0]),
  });
  expect(judge(id, flow, [40, 90])).not.toContain(true);
  expect(judge(id, flow, [40, 90], false)).not.toContain(true);
});

test.each(models)('gas of 2.5 times the usual flow is found in the first pours of a %s', (id) => {
  const found = judge(id, keg, [50, 70]);
  expect(found.filter(Boolean).length / found.length).toBeGreaterThanOrEqual(0.95);
});
