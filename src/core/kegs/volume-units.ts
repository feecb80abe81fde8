/** How a site shows volumes. All stored volumes are millilitres. */
export type VolumeUnits = 'metric' | 'us' | 'uk';

/** Millilitres in a US fluid ounce: 1/128 of the gallon of 231 cubic inches (NIST Handbook 44, appendix C). */
export const mlPerOz = 29.5735295625;

/** Millilitres in a US pint: 16 US fluid ounces, 473.176 473 mL. */
export const mlPerUsPint = 16 * mlPerOz;

/** Millilitres in a UK pint: exactly 568.261 25, an eighth of 4.546 09 L (UK Weights and Measures Act 1985, schedule 1). */
export const mlPerUkPint = 568.26125;

/** Millilitres in an ounce with the digits of existing Kegbot clients, whose values per ounce must stay the same. */
const kegbotMlPerOz = 29.57353;

/** Kilocalories per US fluid ounce of a beverage; null when unknown. */
export function caloriesPerOz(caloriesPerMl: number | null): number | null {
  return caloriesPerMl === null ? null : caloriesPerMl * kegbotMlPerOz;
}

/** The unit in which a country writes glasses of less than a litre. */
export type GlassUnit = 'mL' | 'cL' | 'dL' | 'L';

/** The glass unit of countries (ISO 3166); in all others it is the millilitre. From common usage; no standard was consulted. */
const glassUnits: Readonly<Record<Exclude<GlassUnit, 'mL'>, readonly string[]>> = {
  cL: ['BE', 'DK', 'ES', 'FI', 'FR', 'IS', 'IT', 'LU', 'NL', 'NO', 'PT', 'SE'],
  dL: ['CH', 'HU', 'LI'],
  L: ['AT', 'BG', 'CZ', 'DE', 'EE', 'HR', 'LT', 'LV', 'PL', 'RO', 'RS', 'SI', 'SK', 'UA'],
};

/** The unit of glasses in a region; null stands for an unknown one. */
export function glassUnit(region: string | null): GlassUnit {
  const found = Object.entries(glassUnits).find(([, regions]) => region !== null && regions.includes(region));
  return (found?.[0] as GlassUnit | undefined) ?? 'mL';
}

/** Millilitres in each metric unit. */
export const metricMl: Readonly<Record<GlassUnit, number>> = { mL: 1, cL: 10, dL: 100, L: 1_000 };

/** Returns the region of a language tag, `CH` of `de-CH`; null without one. */
export const regionOf = (tag: string): string | null =>
  /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})\b/i.exec(tag)?.[1]?.toUpperCase() ?? null;
