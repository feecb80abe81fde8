/** How a scale's zero follows the temperature, grams per kelvin. */
export interface TempCoefficient {
  readonly gPerK: number;
  readonly uGPerK: number;
}

/** A good 100 kg cell drifts by 5 g/K (0.05 % per 10 K); cheap ones by more. */
export const unknownCoefficient: TempCoefficient = { gPerK: 0, uGPerK: 10 };
/** It is never known better: it changes with the load and over the months, g/K. */
const minUGPerK = 0.5;

/** A stable weight while nobody pours. */
export interface QuietPoint {
  readonly weightG: number;
  readonly tempC: number | null;
  readonly monoMs: number;
}

/** What the weight did while nobody poured. */
export interface QuietFit {
  /** Loss of weight that the temperature does not explain, grams per day; negative when it grew. */
  readonly lossGPerDay: number;
  readonly uGPerDay: number;
  readonly coefficient: TempCoefficient;
}

/** Standard uncertainty of one point, the mean of three readings, grams. */
const uPointG = 7;
/** Drift of the instrument that nothing explains, creep above all, grams per day. */
const uDriftGPerDay = 150;
/** A shorter time shows no slow loss, milliseconds. */
export const minQuietMs = 4 * 3_600_000;
const minPoints = 12;
const dayMs = 86_400_000;

/**
 * Separates what the temperature does from a slow loss: least squares of the weight over time and temperature, where the
 * coefficient known so far counts as a measurement. Null for a time that is too short.
 */
export function fitQuietTime(points: readonly QuietPoint[], known: TempCoefficient): QuietFit | null {
  if (points.length < minPoints) return null;
  const spanMs = points.at(-1)!.monoMs - points[0]!.monoMs;
  if (spanMs < minQuietMs) return null;
  const days = centred(points.map(({ monoMs }) => (monoMs - points[0]!.monoMs) / dayMs));
  const weights = centred(points.map(({ weightG }) => weightG));
  const hasTemps = points.every(({ tempC }) => tempC !== null);
  const temps = hasTemps ? centred(points.map(({ tempC }) => tempC!)) : days.map(() => 0);
  // The prior as one more equation: coefficient = known ± u.
  const prior = (uPointG / known.uGPerK) ** 2;
  const tt = product(days, days);
  const tT = product(days, temps);
  const TT = product(temps, temps) + prior;
  const tw = product(days, weights);
  const Tw = product(temps, weights) + prior * known.gPerK;
  const determinant = tt * TT - tT * tT;
  const slope = (tw * TT - Tw * tT) / determinant;
  const gPerK = (Tw * tt - tw * tT) / determinant;
  const residuals = weights.map((weight, index) => weight - slope * days[index]! - gPerK * temps[index]!);
  const noiseG = Math.max(uPointG, Math.sqrt(product(residuals, residuals) / (points.length - 2)));
  return {
    lossGPerDay: -slope,
    uGPerDay: Math.hypot(noiseG * Math.sqrt(TT / determinant), uDriftGPerDay),
    coefficient: {
      gPerK,
      uGPerK: Math.max(minUGPerK, Math.min(known.uGPerK, noiseG * Math.sqrt(tt / determinant))),
    },
  };
}

function centred(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

const product = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, index) => sum + value * b[index]!, 0);
