import type { KegDensity } from '../../../core/kegs/keg-density.ts';

/** A pour that the scale below the keg and the meter saw. */
export interface ScalePour {
  readonly ticks: number;
  readonly lossG: number;
  /** Standard uncertainty of the loss without that of the scale's gain, grams. */
  readonly uG: number;
}

/** What the pours of one keg by one meter say together. */
export interface ScaleEvidence {
  readonly ticks: number;
  readonly volumeMl: number;
  /** Standard uncertainty as a share, without that of the scale's gain, which all its kegs have in common. */
  readonly u: number;
}

/** Fewer pours, or less beer, say nothing: a single one may be a bar stool that was leant on the keg, millilitres. */
const minPours = 5;
const minVolumeMl = 5_000;
/** A pour further from the others than so many standard uncertainties was something else: a crate on the keg, gas at its end. */
const maxDeviation = 4;
/** Spread of the factor from pour to pour, as a share: the meter is not linear, and pours are not alike. */
const uPour = 0.03;

/** Adds up pours, without those that are far from the median; null for too few. `before` is what was known of the keg already. */
export function addScalePours(
  pours: readonly ScalePour[],
  density: KegDensity,
  before: ScaleEvidence | null = null,
): ScaleEvidence | null {
  const used = withoutOutliers(pours.filter(({ ticks, lossG }) => ticks > 0 && lossG > 0));
  if (used.length < minPours && (before === null || used.length === 0)) return null;
  const sum = (read: (pour: ScalePour) => number) => used.reduce((total, pour) => total + read(pour), 0);
  const { kgPerL, uKgPerL } = density;
  const uDensity = uKgPerL / kgPerL;
  const addedMl = sum(({ lossG }) => lossG) / kgPerL;
  const addedU2 = sum(({ uG }) => (uG / kgPerL) ** 2) + sum(({ lossG }) => ((uPour * lossG) / kgPerL) ** 2);
  // What is not the density's is random, and adds up as squares.
  const beforeU2 = before === null ? 0 : before.volumeMl ** 2 * Math.max(0, before.u ** 2 - uDensity ** 2);
  const volumeMl = addedMl + (before?.volumeMl ?? 0);
  if (volumeMl < minVolumeMl) return null;
  return {
    ticks: Math.round(sum(({ ticks }) => ticks) + (before?.ticks ?? 0)),
    volumeMl,
    u: Math.hypot(Math.sqrt(addedU2 + beforeU2) / volumeMl, uDensity),
  };
}

function withoutOutliers(pours: readonly ScalePour[]): readonly ScalePour[] {
  if (pours.length < minPours) return pours;
  const ratios = pours.map(({ lossG, ticks }) => lossG / ticks).toSorted((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)]!;
  return pours.filter(({ lossG, ticks, uG }) => {
    const expectedG = median * ticks;
    return Math.abs(lossG - expectedG) <= maxDeviation * Math.hypot(uG, uPour * expectedG);
  });
}
