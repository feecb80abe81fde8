/** Millilitres in a US fluid ounce, with the digits used by other programs for kegs. */
const mlPerOz = 29.57353;

/** Converts `volumeMl` to US fluid ounces. */
export function toOz(volumeMl: number): number {
  return volumeMl / mlPerOz;
}

/** Millilitres in a UK pint: exactly 568.261 25 (UK Weights and Measures Act 1985, schedule 1). */
const mlPerUkPint = 568.26125;

/** Converts `volumeMl` to UK pints. */
export const toUkPints = (volumeMl: number): number => volumeMl / mlPerUkPint;

/** Kilocalories per US fluid ounce of a beverage; null when unknown. */
export function caloriesPerOz(caloriesPerMl: number | null): number | null {
  return caloriesPerMl === null ? null : caloriesPerMl * mlPerOz;
}
