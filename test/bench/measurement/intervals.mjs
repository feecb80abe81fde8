// Whether the printed ± holds: classes of pours by an uncalibrated, a calibrated and a learned meter, with drawn lags and linearity.
import { readMeterCatalogue } from '../../../dist/config/meter-catalogue.js';
import { learnMeter } from '../../../dist/core/measurement/meter-knowledge.js';
import { pourStarts } from '../../../dist/core/measurement/pour-starts.js';
import { coverage, pourUncertainty, uUnknownFactor } from '../../../dist/core/measurement/uncertainty.js';
import { estimateCalibration } from '../../../dist/core/measurement/weighed-pours.js';
import { TickSeries } from '../../../dist/core/pours/tick-series.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';
import { pourClasses } from './pour-classes.mjs';
import { drawTap, nominal, seedOf } from './taps.mjs';

/** What weighed pours have in common: the calibration of the scale. */
const uScale = 0.001;
const scaleMl = 1.4;
const weighedPours = 6;
/** Emptied kegs of 50 L, one every two days. */
const keg = { count: 4, statedMl: 50_000 * 0.9925, u: 0.005, biasU: 0.005, everyMs: 2 * 86_400_000 };
/** Pours by which the mean of a keg is found. */
const kegPours = 5;
/** Data sheets state this limit between pours of one meter. */
const repeatability = 0.005;
/** Standard deviation of the logarithm of the friction: 95 % are between 0.4 and 2.7 times that of the YF-21. */
const linearitySpread = 0.5;

const stages = ['uncalibrated', 'calibrated', 'learned'];

export function intervalRows(random, meters) {
  const catalogue = readMeterCatalogue();
  const held = new Map();
  for (let i = 0; i < meters; i++) {
    const tap = withLinearity(drawTap(i, catalogue, random), random);
    const known = knowledge(tap, random);
    for (const [name, { fits = () => true, create }] of Object.entries(pourClasses)) {
      if (!fits(tap)) continue;
      const pour = create({ ...tap, pour: (change) => simulate(tap, random, change) }, random);
      if (pour === null) continue;
      for (const stage of stages) {
        const key = `${name}|${stage}`;
        held.set(key, [
          ...(held.get(key) ?? []),
          { id: tap.id, ...judge(pour, { ...known[stage], leastMlPerS: tap.leastMlPerS }) },
        ]);
      }
    }
  }
  return Object.keys(pourClasses).map((name) =>
    toRow(
      name,
      stages.map((stage) => held.get(`${name}|${stage}`)),
    ),
  );
}

/** The friction of a wheel, without regard to its lags: that of the YF-21, give or take. */
function withLinearity(tap, random) {
  const { meter } = tap;
  const rollOffMlPerS = meter.rollOffMlPerS * Math.exp(linearitySpread * random.normal());
  const at60 = meter.ticksPerMl * (1 - meter.rollOffMlPerS / 60);
  return { ...tap, meter: { ...meter, rollOffMlPerS, ticksPerMl: at60 / (1 - rollOffMlPerS / 60) } };
}

/** A flow through the tap, whose factor differs from pour to pour. */
function simulate(tap, random, change) {
  const scenario = nominal(tap, random, change);
  const ticksPerMl = scenario.meter.ticksPerMl * (1 + random.between(-repeatability, repeatability));
  return simulateFlow({ ...scenario, meter: { ...scenario.meter, ticksPerMl } }, seedOf(random));
}

function knowledge(tap, random) {
  const open = (ml) => simulate(tap, random, { steps: openFor((ml / tap.flowMlPerS) * 1_000) });
  const at60 = tap.meter.ticksPerMl * (1 - tap.meter.rollOffMlPerS / 60);
  return {
    uncalibrated: { ticksPerMl: at60 * Math.exp(uUnknownFactor * random.normal()), uFactor: uUnknownFactor },
    calibrated: weigh(
      Array.from({ length: weighedPours }, () => open(random.between(900, 1_100))),
      random,
    ),
    learned: learn(
      Array.from({ length: kegPours }, () => open(random.between(200, 600))),
      at60,
      random,
    ),
  };
}

function weigh(flows, random) {
  const gain = 1 + uScale * random.normal();
  const pours = flows.map(({ stampsMs, beerMl }) => ({
    ticks: stampsMs.length,
    volumeMl: gain * beerMl + scaleMl * random.normal(),
    uMl: scaleMl,
  }));
  const { ticksPerMl, uncertainty } = estimateCalibration(pours, { uCommon: uScale });
  return { ticksPerMl, uFactor: uncertainty / coverage, measuredBy: meanOf(flows) };
}

/** Kegs of one brewery that ran empty through such pours. */
function learn(flows, ticksPerMl, random) {
  const ratio = sum(flows, ({ stampsMs }) => stampsMs.length) / sum(flows, ({ beerMl }) => beerMl);
  const bias = keg.biasU * random.normal();
  const evidence = Array.from({ length: keg.count }, (_, i) => ({
    kind: 'emptied_keg',
    volumeMl: keg.statedMl,
    u: keg.u,
    fillGroup: 'brewery',
    timeMs: i * keg.everyMs,
    ticks: Math.round(ratio * keg.statedMl * Math.exp(bias + keg.u * random.normal())),
  }));
  const prior = {
    ticksPerMl: ticksPerMl * Math.exp(uUnknownFactor * random.normal()),
    uFactor: uUnknownFactor,
  };
  const learned = learnMeter(evidence, prior);
  return { ticksPerMl: learned.ticksPerMl, uFactor: learned.uFactor, measuredBy: meanOf(flows) };
}

function meanOf(flows) {
  const measured = flows.map((flow) => toPour(flow));
  const ticks = sum(measured, (one) => one.ticks);
  const starts = measured.map((one) => pourStarts({ ...one, volumeMl: 1 }));
  const riseHz = sum(starts, (one) => one.riseHz);
  return {
    hz: (ticks * 1_000) / sum(starts, ({ flowMs }) => flowMs),
    ticks: (ticks * ((ticks * 1_000) / sum(starts, ({ flowMs }) => flowMs))) / riseHz,
  };
}

/** The pour as it is stored. */
export function toPour({ stampsMs }, { gasTicks = 0, foamTicks = 0 } = {}) {
  const series = new TickSeries();
  for (const at of stampsMs) series.add(at - stampsMs[0]);
  return {
    source: 'pin',
    ticks: stampsMs.length,
    gasTicks,
    foamTicks,
    series: series.toString(),
    pourId: 'p',
    durationMs: stampsMs.at(-1) - stampsMs[0],
  };
}

function judge({ flow, found }, meter) {
  const pour = toPour(flow, found);
  const volumeMl = (pour.ticks - pour.gasTicks - 0.75 * pour.foamTicks) / meter.ticksPerMl;
  const starts = pourStarts({ ...pour, volumeMl });
  const ml = pourUncertainty(meter, {
    volumeMl,
    starts,
    foamTicks: pour.foamTicks,
    endedInGas: pour.gasTicks > 0 ? 1 : 0,
  });
  const trueMl = flow.beerMl + flow.foamBeerMl;
  return { error: volumeMl - trueMl, ml, trueMl };
}

export const openFor = (ms, valve = 1) => [
  { atMs: 0, valve },
  { atMs: ms, valve: 0 },
];

/** Met where each share is 93 to 97 %, give or take twice its sampling error. */
function toRow(what, byStage) {
  const cells = byStage.map((all) => {
    const share = all.filter(({ error, ml }) => Math.abs(error) <= ml).length / all.length;
    const sampling = 2 * Math.sqrt((0.95 * 0.05) / all.length);
    const width = sum(all, ({ ml }) => ml) / all.length;
    return {
      share,
      isMet: share >= 0.93 - sampling && share <= 0.97 + sampling,
      width,
      bias: sum(all, ({ error }) => error) / all.length,
    };
  });
  return {
    what: `± holds: ${what}`,
    ours: cells
      .map(
        ({ share, width, bias }) =>
          `${(100 * share).toFixed(1)} % (±${width.toFixed(1)} mL${process.env.BIAS ? ` b ${bias.toFixed(1)}` : ''})`,
      )
      .join(', '),
    target: '93–97 %',
    met: cells.every(({ isMet }) => isMet),
  };
}

const sum = (list, of) => list.reduce((total, one) => total + of(one), 0);
