// Calibration by weighed pours and emptied kegs: the error that remains, and whether the interval holds what it promises.
import { findDrift } from '../../../dist/core/measurement/drift.js';
import { learnFactor } from '../../../dist/core/measurement/meter-learning.js';
import { estimateCalibration, studentT } from '../../../dist/core/measurement/weighed-pours.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';
import { nominal, seedOf } from './taps.mjs';

/** Pours of about a litre by which the true calibration of a tap is found. */
const trueCount = 60;
/** Two readings of a kitchen scale, grams; one gram is a millilitre here. */
const scaleMl = 1.4;
const dayMs = 86_400_000;
const monthMs = 30.44 * dayMs;
export const keg = { statedMl: 50_000 * 0.9925, u: 0.005, biasU: 0.005, everyMs: 2 * dayMs };
/** Random walk of a meter that wears: what the interval allows for. */
const wearPerMonth = 0.003;
export const prior = { uFactor: 0.06 };

/** Rows of the targets about calibration, from so many trials of each; `more` are those of the extensions. */
export function calibrationRows(taps, random, trials, more) {
  const tested = taps.map((tap) => ({ tap, truth: trueCalibration(tap, random) }));
  const trialOf = (i) => tested[i % tested.length];
  const weighed = (count) =>
    Array.from({ length: trials }, (_, i) => {
      const { tap, truth } = trialOf(i);
      const pours = Array.from({ length: count }, () => weigh(tap, random));
      const estimate = estimateCalibration(pours);
      return { error: estimate.ticksPerMl / truth - 1, uncertainty: estimate.uncertainty, pours, truth };
    });
  const twelve = weighed(12);
  const covered = share(twelve, ({ error, uncertainty }) => Math.abs(error) <= uncertainty);
  const kegs = (count, pours, wear = 0) =>
    weighed(Math.max(pours, 2)).map((one) => learn(one, { kegs: count, poursUsed: pours, wear }, random));
  const sixPours = kegs(20, 6);
  const within = share(sixPours, ({ error }) => Math.abs(error) <= 0.005);
  const holds = ({ error, u }) => Math.abs(error) <= 2 * u;
  // An interval that allows for wear is wider than a meter without any needs.
  const worn = kegs(20, 6, wearPerMonth);
  const held = share(worn, holds);
  const delays = Array.from({ length: trials }, (_, i) => driftDelay(i % 2 === 0 ? 0.02 : -0.02, random));
  delays.sort((a, b) => a - b);
  const delay = delays[Math.floor(delays.length / 2)];
  const between = falseAlarms(random, Math.ceil(trials / 8));
  return [
    row(
      '95 % interval of 12 weighed pours holds',
      percent(covered),
      '93–97 %',
      covered >= 0.93 && covered <= 0.97,
    ),
    row('20 kegs and 6 weighed pours: within 0.5 %', percent(within), '≥ 95 %', within >= 0.95),
    row(
      '… the same of a meter that wears by 0.3 % a month: ±2u holds',
      percent(held),
      '93–97 %',
      held >= 0.93 && held <= 0.97,
    ),
    info('… of such a meter: within 0.5 %', percent(share(worn, ({ error }) => Math.abs(error) <= 0.005))),
    info('… of a meter without wear: ±2u holds', percent(share(sixPours, holds))),
    row('Change of 2 % found, median', `${delay} kegs`, '≤ 6 kegs', delay <= 6),
    row('Kegs between false alarms', between.toFixed(0), '> 400', between > 400),
    ...[1, 3, 10].map((count) => info(`Error of ${count} weighed pours, 95 %`, p95(weighed(count)))),
    info('Error of 3 emptied kegs alone, 95 %', p95(kegs(3, 0))),
    ...more.flatMap((rows) => rows(trialOf, trials, random)),
  ];
}

const litre = (tap, random) => {
  const openMs = (random.between(900, 1_100) / tap.flowMlPerS) * 1_000;
  const steps = [
    { atMs: 0, valve: 1 },
    { atMs: openMs, valve: 0 },
  ];
  return simulateFlow(nominal(tap, random, { steps }), seedOf(random));
};

function trueCalibration(tap, random) {
  let [ticks, ml] = [0, 0];
  for (let i = 0; i < trueCount; i++) {
    const flow = litre(tap, random);
    ticks += flow.stampsMs.length;
    ml += flow.beerMl;
  }
  return ticks / ml;
}

function weigh(tap, random) {
  const { stampsMs, beerMl } = litre(tap, random);
  return { ticks: stampsMs.length, volumeMl: beerMl + scaleMl * random.normal(), uMl: scaleMl };
}

/** Kegs of one brewery with a common fill bias, after `pours` of the weighed pours. */
function learn({ pours, truth }, { kegs, poursUsed, wear }, random) {
  const bias = keg.biasU * random.normal();
  let now = truth;
  const evidence = Array.from({ length: kegs }, (_, i) => {
    now *= Math.exp(wear * Math.sqrt(keg.everyMs / monthMs) * random.normal());
    return emptied(now, bias, (i + 1) * keg.everyMs, random);
  });
  if (poursUsed > 0) {
    const used = pours.slice(0, poursUsed);
    const sum = (field) => used.reduce((total, one) => total + one[field], 0);
    const u = estimateCalibration(used).uncertainty / studentT(poursUsed - 1);
    evidence.unshift({
      kind: 'pours',
      ticks: sum('ticks'),
      volumeMl: sum('volumeMl'),
      u,
      fillGroup: null,
      timeMs: 0,
    });
  }
  const ticksPerMl = truth * Math.exp(0.04 * random.normal());
  const learned = learnFactor(evidence, { ...prior, ticksPerMl });
  return { error: learned.ticksPerMl / now - 1, u: learned.uFactor };
}

function emptied(ticksPerMl, bias, timeMs, random) {
  const ticks = Math.round(ticksPerMl * keg.statedMl * Math.exp(bias + keg.u * random.normal()));
  return { kind: 'emptied_keg', ticks, volumeMl: keg.statedMl, u: keg.u, fillGroup: 'brewery', timeMs };
}

function deviations(kegs, stepAt, step, random) {
  const bias = keg.biasU * random.normal();
  const known = { kind: 'pours', ticks: 32_400, volumeMl: 6_000, u: 0.002, fillGroup: null, timeMs: 0 };
  const evidence = Array.from({ length: kegs }, (_, i) =>
    emptied(5.4 * (i >= stepAt ? 1 + step : 1), bias, (i + 1) * keg.everyMs, random),
  );
  return learnFactor([known, ...evidence], { ...prior, ticksPerMl: 5.4 }).steps.map(
    ({ deviation }) => deviation,
  );
}

function driftDelay(step, random) {
  const drift = findDrift(deviations(60, 15, step, random).slice(16));
  return drift === null ? Number.POSITIVE_INFINITY : drift.at + 1;
}

function falseAlarms(random, runs) {
  let [kegs, alarms] = [0, 0];
  for (let run = 0; run < runs; run++) {
    let rest = deviations(400, Number.POSITIVE_INFINITY, 0, random);
    kegs += rest.length;
    for (let drift = findDrift(rest); drift !== null; drift = findDrift(rest)) {
      alarms++;
      rest = rest.slice(drift.at + 1);
    }
  }
  return kegs / Math.max(1, alarms);
}

export const share = (all, isRight) => all.filter(isRight).length / all.length;
export const percent = (value) => `${(100 * value).toFixed(1)} %`;
export const p95 = (trials) => {
  const errors = trials.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  return `±${(100 * errors[Math.floor(0.95 * errors.length)]).toFixed(2)} %`;
};
export const row = (what, ours, target, met) => ({ what, ours, target, met });
export const info = (what, ours) => ({ what, ours });
