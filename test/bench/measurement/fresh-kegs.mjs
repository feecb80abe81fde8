// The first pours of a keg: gas of the line, foam, then beer; and ordinary pours of a fresh keg, which must not be taken for foam.
import { findUnevenTicks, uFoamBeerShare } from '../../../dist/core/measurement/fresh-foam.js';
import { GasDetector } from '../../../dist/core/measurement/gas-detector.js';
import { beerTicksOf } from '../../../dist/core/measurement/pour-volume.js';
import { parseTickSeries, TickSeries } from '../../../dist/core/pours/tick-series.js';
import { simulateFlow } from '../../../dist/devices/simulated/flow-model/simulate-flow.js';
import { scenarios } from './scenarios.mjs';
import { nominal, seedOf } from './taps.mjs';

/** Below this the meter is too coarse to show the unevenness of foam within seconds. */
const coarse = 0.9;
const kegMl = 50_000;
/** Certainly left of a full keg, millilitres. */
const certainMl = 47_000;
/** Nobody published how uneven foam is: standard deviations of its flow. */
const unevenness = { low: 0.15, high: 0.25 };

export function freshKegRows(taps, random, trials) {
  const fine = taps.filter(({ ticksPerMl }) => ticksPerMl >= coarse);
  const pour = (list, sigma) =>
    Array.from({ length: trials }, (_, i) => firstPour(list[i % list.length], sigma, random));
  const uneven = pour(fine, unevenness.high);
  const even = pour(fine, unevenness.low);
  const slow = pour(
    taps.filter(({ ticksPerMl }) => ticksPerMl < coarse),
    unevenness.high,
  );
  const ordinary = ['clean', 'throttled', 'half, then full', 'stop and go'].flatMap((name) =>
    Array.from({ length: Math.ceil(trials / 4) }, () => {
      const { tap, flows } = scenarios[name].create(fine, random);
      return judge(tap, flows[0]);
    }),
  );
  const isFound = ({ foamTicks }) => foamTicks > 0;
  const found = share(uneven, isFound);
  const beer = share(ordinary, (one) => !isFound(one));
  const silent = share([...uneven, ...even, ...slow], ({ isReported }) => !isReported);
  const holds = share(uneven.filter(isFound), ({ errorMl, uMl }) => Math.abs(errorMl) <= 2 * uMl);
  return [
    row('Fresh keg: ordinary pours not called foam', percent(beer), '≥ 99 %', beer >= 0.99),
    row('Fresh keg: gas of the line asks nobody, shuts no valve', percent(silent), '≥ 99 %', silent >= 0.99),
    row('Fresh keg: foam found (uneven by 25 %)', percent(found), '≥ 90 %', found >= 0.9),
    info(
      '… uneven by 15 %; by 25 %, coarser meters',
      `${percent(share(even, isFound))}; ${percent(share(slow, isFound))}`,
    ),
    row('… where found, ± of the pour holds', percent(holds), '≥ 93 %', holds >= 0.93),
    info(
      'Error of a keg of 50 L by its first pour, mean (25 %; 15 %)',
      `${ofKeg(uneven, 'errorMl')}; ${ofKeg(even, 'errorMl')}`,
    ),
    info('… with foam counted as beer', `${ofKeg(uneven, 'plainErrorMl')}; ${ofKeg(even, 'plainErrorMl')}`),
  ];
}

function firstPour(tap, sigma, random) {
  const freshKeg = {
    gasMl: random.next() < 0.5 ? 0 : random.between(50, 300),
    gasRatio: random.between(1.5, 4),
    foamMl: random.between(100, 500),
    beerShare: random.between(0, 0.5),
    unevenness: sigma,
  };
  const steps = [
    { atMs: 0, valve: 1 },
    { atMs: random.between(8_000, 18_000), valve: 0 },
  ];
  return judge(tap, simulateFlow(nominal(tap, random, { steps, freshKeg }), seedOf(random)));
}

function judge(tap, { stampsMs, beerMl, foamBeerMl }) {
  const series = new TickSeries();
  for (const at of stampsMs) series.add(at - stampsMs[0]);
  const pairs = parseTickSeries(series.toString()) ?? [];
  const { openRate, ticksPerMl } = tap;
  const detector = new GasDetector(openRate, { certainTicks: certainMl * ticksPerMl });
  for (const at of stampsMs) detector.add(at - stampsMs[0]);
  const ticks = stampsMs.length;
  const foamTicks = findUnevenTicks(pairs, openRate);
  const truthMl = beerMl + foamBeerMl;
  const counted = beerTicksOf({ ticks, gasTicks: 0, foamTicks }) / ticksPerMl;
  return {
    foamTicks,
    isReported: detector.isGas,
    errorMl: counted - truthMl,
    plainErrorMl: ticks / ticksPerMl - truthMl,
    // The calibration of the drawn meter is off by up to 1 %.
    uMl: Math.hypot((uFoamBeerShare * foamTicks) / ticksPerMl, 0.01 * truthMl, 3),
  };
}

const ofKeg = (pours, field) => {
  const mean = pours.reduce((sum, one) => sum + one[field], 0) / pours.length;
  return `${((100 * mean) / kegMl).toFixed(2)} %`;
};
const share = (all, isRight) => all.filter(isRight).length / all.length;
const percent = (value) => `${(100 * value).toFixed(1)} %`;
const row = (what, ours, target, met) => ({ what, ours, target, met });
const info = (what, ours) => ({ what, ours });
