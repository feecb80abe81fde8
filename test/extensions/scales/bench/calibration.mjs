// What a meter learns from kegs on a scale alone; part of `npm run bench -- measure`.
import { learnFactor } from '../../../../dist/core/measurement/meter-learning.js';
import { addScalePours } from '../../../../dist/extensions/scales/core/scale-evidence.js';
import { info, keg, p95, percent, prior, row, share } from '../../../bench/measurement/calibration.mjs';

/** A scale below the keg: its gain is off by the same share for all kegs, and each reading by some grams. */
const scale = { gainU: 0.005, uG: 14, poursPerKeg: 80, density: { kgPerL: 1.01, uKgPerL: 0.004 } };

/** Kegs on a scale of a fixed gain, each of another beer. */
export function calibrationRows(trialOf, trials, random) {
  const after = (count) =>
    Array.from({ length: trials }, (_, i) => {
      const { tap, truth } = trialOf(i);
      const gain = 1 + scale.gainU * random.normal();
      const evidence = Array.from({ length: count }, (_, k) => onScale(tap, truth, gain, k, random));
      const learned = learnFactor(evidence, {
        ...prior,
        ticksPerMl: truth * Math.exp(0.04 * random.normal()),
      });
      return { error: learned.ticksPerMl / truth - 1, u: learned.uFactor };
    });
  const three = after(3);
  const held = share(three, ({ error, u }) => Math.abs(error) <= 2 * u);
  return [
    row('±2u after 3 kegs on a scale holds', percent(held), '≥ 93 %', held >= 0.93),
    info(
      'Error of 1, 3, 10 kegs on a scale alone, 95 %',
      [p95(after(1)), p95(three), p95(after(10))].join(', '),
    ),
  ];
}

function onScale({ flowMlPerS }, truth, gain, kegNumber, random) {
  const { density, uG, poursPerKeg } = scale;
  const kgPerL = density.kgPerL + density.uKgPerL * random.normal();
  const pours = Array.from({ length: poursPerKeg }, () => {
    const ml = flowMlPerS * random.between(4, 10);
    const ticks = Math.round(truth * ml * (1 + 0.005 * random.normal()));
    return { ticks, lossG: gain * ml * kgPerL + uG * random.normal(), uG };
  });
  const timeMs = (kegNumber + 1) * keg.everyMs;
  return { ...addScalePours(pours, density), kind: 'scale', fillGroup: 'scale', timeMs };
}
