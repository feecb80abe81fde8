// Taps with drawn meters, and what a database would have learned of them from their first pours.
import { defaultOpenHz, modelMinGapMs, readMeterCatalogue } from '../../../dist/config/meter-catalogue.js';
import { bestRate, toOpenRate } from '../../../dist/core/measurement/tap-rate.js';
import { parseTickSeries, TickSeries } from '../../../dist/core/pours/tick-series.js';
import { drawMeter } from '../../../dist/devices/simulated/flow-model/meter-traits.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';

/** From 0.45 to 6 ticks per millilitre. */
const models = [
  'yf-s201',
  'titan-824',
  'titan-865',
  'ft330-rj',
  'gems-ft110m-245148',
  'swissflow-sf800',
  'yf-s401',
];
const tapsPerModel = 12;
const learnedPours = 30;

export function createTaps(random) {
  const catalogue = readMeterCatalogue();
  return models.flatMap((id) =>
    Array.from({ length: tapsPerModel }, () => createTap(id, catalogue.get(id), random)),
  );
}

/** One of many taps, each model in turn; its usual rate is that of its fastest evening. */
export function drawTap(i, catalogue, random) {
  const id = models[i % models.length];
  const tap = describeTap(id, catalogue.get(id), random);
  const ticksPerS = 1.1 * tap.flowMlPerS * tap.ticksPerMl;
  return { ...tap, openRate: { ticksPerS, isLearned: true } };
}

function describeTap(id, model, random) {
  return {
    id,
    meter: drawMeter(model, random),
    ticksPerMl: model.ticksPerMl,
    leastMlPerS: model.minLPerMin === null ? null : (model.minLPerMin * 1_000) / 60,
    minGapMs: modelMinGapMs(model),
    flowMlPerS: random.between(45, 75),
    unsteadiness: random.between(0.005, 0.03),
  };
}

function createTap(id, model, random) {
  const tap = describeTap(id, model, random);
  const rates = Array.from({ length: learnedPours }, () => learnFrom(tap, random)).filter(
    (rate) => rate !== null,
  );
  const figures = { ticksPerMl: model.ticksPerMl, isCalibrated: true, modelHz: defaultOpenHz(model) };
  return { ...tap, openRate: toOpenRate(rates, figures), firstRate: toOpenRate([], figures) };
}

/** The best rate of a clean pour, a part of them throttled by hand. */
function learnFrom(tap, random) {
  const valve = random.next() < 0.5 ? 1 : random.between(0.4, 1);
  const openMs = random.between(2_500, 7_000);
  const steps = [
    { atMs: 0, valve },
    { atMs: openMs, valve: 0 },
  ];
  const { stampsMs } = simulateFlow(nominal(tap, random, { steps }), seedOf(random));
  const series = new TickSeries();
  for (const at of stampsMs) series.add(at - stampsMs[0]);
  return bestRate(parseTickSeries(series.toString()) ?? [], stampsMs.at(-1) - stampsMs[0]);
}

/** A scenario at a tap: its flow differs by up to 10 % from one evening to the next. */
export const nominal = ({ meter, flowMlPerS, unsteadiness }, random, change) => ({
  meter,
  flowMlPerS: flowMlPerS * random.between(0.9, 1.1),
  unsteadiness,
  valveMs: random.between(60, 250),
  temperatureC: random.between(3, 8),
  ...change,
});

export const seedOf = (random) => Math.floor(random.next() * 2 ** 31);
