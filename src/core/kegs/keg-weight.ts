/** Weight of an empty keg, grams, with its standard uncertainty. */
export interface EmptyWeight {
  readonly weightG: number;
  readonly uG: number;
}

/** Usual kegs of a size, by its key. Those of other sizes vary too much. */
const usualEmptyG: Readonly<Record<string, number>> = {
  'euro-30-liter': 9_300,
  'euro-half': 12_200,
  'half-barrel': 13_500,
};
/** Kegs of one size differ, as a share of the empty weight. */
const uUsual = 0.05;
/** A stamp is rounded to 0.1 kg, and the keg has labels and dents, grams. */
const uStampG = 100;

/** The weight of an empty keg of that size; null where it is not known. */
export function usualEmptyWeight(sizeKey: string): EmptyWeight | null {
  const weightG = usualEmptyG[sizeKey];
  return weightG === undefined ? null : { weightG, uG: uUsual * weightG };
}

/** The weight that is stamped on a keg. */
export const stampedEmptyWeight = (weightG: number): EmptyWeight => ({ weightG, uG: uStampG });

/** ± of a balance with steps of 50 g, grams, unless another one is entered. */
export const defaultBalanceG = 100;
/** Bounds of what may be entered, grams. */
export const weighingBounds = {
  weightG: { min: 500, max: 300_000 },
  emptyWeightG: { min: 100, max: 100_000 },
  balanceG: { min: 1, max: 5_000 },
} as const;
/** A full keg weighs no more than this besides the empty one, g per mL: dense beer, and filled beyond its size. */
export const maxContentGPerMl = 1.2;
