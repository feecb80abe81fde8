/** Millilitres in a US fluid ounce, to the places the field's other programs use. */
export const mlPerOz = 29.57353;

/** US fluid ounces in `volumeMl`. */
export function toOz(volumeMl: number): number {
  return volumeMl / mlPerOz;
}

/** Kilocalories in a US fluid ounce of a beverage, null when unknown. */
export function caloriesPerOz(caloriesPerMl: number | null): number | null {
  return caloriesPerMl === null ? null : caloriesPerMl * mlPerOz;
}
