import type { KegDensity, MeasuredVolume } from '../../../core/kegs/keg-density.ts';

/** Standard uncertainty of the gain of a scale that people set with a known weight, as a share. */
export const uScaleGain = 0.005;
/** Standard uncertainty of an empty keg's weight: kegs of one type differ, grams. */
const uEmptyWeightG = 150;
/** Standard uncertainty of an absolute weight: zero drift and creep since the scale was set, grams. */
const uAbsoluteG = 150;

/** The beer in so many grams; `uG` is the standard uncertainty of the mass without that of the scale's gain. */
export function toScaleVolume(massG: number, uG: number, { kgPerL, uKgPerL }: KegDensity): MeasuredVolume {
  const volumeMl = massG / kgPerL;
  return {
    volumeMl,
    uMl: Math.hypot(uG / kgPerL, volumeMl * (uKgPerL / kgPerL), volumeMl * uScaleGain),
  };
}

/** What is left in a keg by its weight. */
export const toScaleRemainder = (
  weightG: number,
  emptyWeightG: number,
  density: KegDensity,
): MeasuredVolume => toScaleVolume(weightG - emptyWeightG, Math.hypot(uEmptyWeightG, uAbsoluteG), density);
