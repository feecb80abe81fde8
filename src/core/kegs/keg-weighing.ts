import { gasDensity, type KegDensity, type MeasuredVolume, uGasDensity } from './keg-density.ts';

/** A keg on a balance. */
export interface KegWeighing {
  /** With the keg, grams. */
  readonly weightG: number;
  /** Of the empty keg, grams. */
  readonly emptyWeightG: number;
  /** Standard uncertainties, grams. */
  readonly uEmptyWeightG: number;
  readonly uBalanceG: number;
  /** What the keg holds, millilitres: beer, and gas above it. */
  readonly innerMl: number;
}

/** kg/L. The keg's inside was full of air when its empty weight was taken. */
const airDensity = 0.0012;

/** What is left in a keg by its weight: the rest of the keg is full of gas. At least 0. */
export function toWeighedRemainder(
  { weightG, emptyWeightG, uEmptyWeightG, uBalanceG, innerMl }: KegWeighing,
  { kgPerL, uKgPerL }: KegDensity,
): MeasuredVolume {
  const beerG = weightG - emptyWeightG - innerMl * (gasDensity - airDensity);
  const volumeMl = Math.max(0, beerG / kgPerL);
  const uG = Math.hypot(uBalanceG, uEmptyWeightG, innerMl * uGasDensity);
  return { volumeMl, uMl: Math.hypot(uG / kgPerL, volumeMl * (uKgPerL / kgPerL)) };
}

/** Beer that left the keg between two weighings: the weight of the empty keg is in both. Negative where it became heavier. */
export function toWeighedUse(
  from: KegWeighing,
  to: KegWeighing,
  { kgPerL, uKgPerL }: KegDensity,
): MeasuredVolume {
  const volumeMl = (from.weightG - to.weightG) / kgPerL;
  const uMl = Math.hypot(Math.hypot(from.uBalanceG, to.uBalanceG) / kgPerL, volumeMl * (uKgPerL / kgPerL));
  return { volumeMl, uMl };
}
