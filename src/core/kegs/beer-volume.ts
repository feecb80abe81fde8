/**
 * Gravities of fermented beverages, from a dry wine to the wort of the strongest beers, in which the formulas below are valid. A
 * gravity outside it is a typing error.
 */
export const gravityRange = { min: 0.99, max: 1.2 } as const;
/** Beer freezes below this range, and nobody pours it warmer. */
export const beerTempRange = { min: -3, max: 40 } as const;

/** Specific gravity is relative to water of this temperature (brewing's 20 °C/20 °C). */
const gravityTempC = 20;

/**
 * Density of water in grams per millilitre, from −3 to 40 °C. Rational formula of G. S. Kell, "Density,
 * thermal expansivity, and compressibility of liquid water from 0° to 150 °C", J. Chem. Eng. Data 20 (1975)
 * 97: 0.99997 at 4 °C and 0.99821 at 20 °C.
 */
export function waterDensity(tempC: number): number {
  const t = tempC;
  const above =
    999.83952 +
    t * (16.945176 + t * (-7.9870401e-3 + t * (-46.170461e-6 + t * (105.56302e-9 + t * -280.54253e-12))));
  return above / (1 + 16.87985e-3 * t) / 1_000;
}

/**
 * Density of finished beer in grams per millilitre. Assumes that beer shrinks with cold as water does:
 * between a cold room and a warm bar the alcohol adds an error below 0.1 %, less than a kitchen scale shows.
 */
export function beerDensity({
  finalGravity,
  tempC,
}: {
  readonly finalGravity: number;
  readonly tempC: number;
}): number {
  const at20 = finalGravity * waterDensity(gravityTempC);
  return at20 * (waterDensity(tempC) / waterDensity(gravityTempC));
}

/**
 * Beer displaces air, which makes it lighter than the steel that a scale is adjusted with: 1.2 kg/m³ against the densities
 * of beer and of steel (8000 kg/m³).
 */
const airBuoyancy = 1.00105;

/**
 * Millilitres of beer that weigh `grams` on a scale, as they passed the meter at `tempC`. Neglected: the carbon dioxide that
 * escapes while it is poured (0.3 g/L); flat beer lacks 5 g/L.
 */
export function volumeOfWeight(sample: {
  readonly grams: number;
  /** Weight of the empty glass; 0 when the scale was zeroed with it. */
  readonly tareGrams: number;
  readonly finalGravity: number;
  readonly tempC: number;
}): number {
  return (airBuoyancy * (sample.grams - sample.tareGrams)) / beerDensity(sample);
}
