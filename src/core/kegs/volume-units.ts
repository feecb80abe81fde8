/** Millilitres in a US fluid ounce, with the digits used by other programs for kegs. */
const mlPerOz = 29.57353;

/** Converts `volumeMl` to US fluid ounces. */
export function toOz(volumeMl: number): number {
  return volumeMl / mlPerOz;
}

/** Kilocalories per US fluid ounce of a beverage; null when unknown. */
export function caloriesPerOz(caloriesPerMl: number | null): number | null {
  return caloriesPerMl === null ? null : caloriesPerMl * mlPerOz;
}
