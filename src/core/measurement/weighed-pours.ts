/** One calibration pour: the ticks counted and the volume measured in a jug or on a scale. */
export interface MeasuredPour {
  readonly ticks: number;
  /** Above 0. */
  readonly volumeMl: number;
  /** Standard uncertainty of the measured volume, millilitres; that of a jug unless given. */
  readonly uMl?: number;
}

/** A calibration pour with its result. */
interface AssessedPour {
  readonly ticks: number;
  readonly volumeMl: number;
  readonly ticksPerMl: number;
  /** Difference from the combined result, as a share: 0.02 means 2 % more ticks than the mean predicts. */
  readonly deviation: number;
  /**
   * True when it differs from the others by more than they differ among themselves and by more than the
   * instrument can err: a reading or typing error.
   */
  readonly isOutlier: boolean;
}

/** Ticks of pours of different sizes as a line: `ticks = ticksPerMl · volume + offsetTicks`. */
interface PourLine {
  readonly ticksPerMl: number;
  /** Ticks that each pour has besides its volume: the wheel runs on after the beer stops, or starts late. */
  readonly offsetTicks: number;
  /** Half width of the 95 % interval of `offsetTicks`. */
  readonly offsetUncertainty: number;
}

/** Combined result of several calibration pours. */
interface CalibrationEstimate {
  /**
   * All ticks divided by all millilitres: a large pour has more weight because its relative reading error is
   * smaller.
   */
  readonly ticksPerMl: number;
  readonly pours: readonly AssessedPour[];
  /** Highest minus lowest, as a share of the mean; null for a single pour. */
  readonly spread: number | null;
  /** Half width of the 95 % interval of the factor, as a share of it. */
  readonly uncertainty: number;
  /** Further pours like these that bring it to the wanted one; null when no number of them does. */
  readonly morePours: number | null;
  /** Null unless four or more pours differ in size by a factor of 3. */
  readonly line: PourLine | null;
}

interface EstimateOptions {
  /** Wanted half width of the 95 % interval, as a share. */
  readonly wanted?: number;
  /** Standard uncertainty that all pours have in common, as a share: density of the beer, scale or jug. */
  readonly uCommon?: number;
}

/** Standard uncertainty of reading a jug, as a share. */
export const jugReading = 0.01;
/** What the marks of a jug are wrong by, as a standard uncertainty; equal for all pours. */
export const jugMarks = 0.005;
/** Standard uncertainty of two readings of a kitchen scale with a resolution of 1 g, grams. */
export const scaleReadingG = 1.4;
/** Calibration of the scale and temperature of the beer, as a standard uncertainty. */
export const scaleCommon = 0.001;
/** Standard uncertainty of the density when the final gravity is not known: 1.010 ± 0.004. */
export const unknownGravity = 0.004;

/** Interval that is good enough: half of what a line on a glass may differ by law, as a share. */
export const wantedUncertainty = 0.005;

/** Standard deviation of a meter between pours, as a share: typical for turbines in their range. */
export const meterRepeatability = 0.005;
/** Standard deviation of the number of ticks, because a pour starts and ends between two of them. */
export const tickRounding = 0.41;

/**
 * Limit as a multiple of the standard deviation; fewer than one correct pour in a thousand lies beyond it.
 */
const outlierFactor = 3.5;
/** Limit as a multiple of the uncertainty of instrument and meter. */
const instrumentFactor = 3;
/** Factor from the median absolute deviation to the standard deviation of a normal distribution. */
const medianToDeviation = 1.4826;

/** With fewer pours it is unknown which of them is wrong, and their scatter tells nothing. */
const minPours = 3;
/** A line through two sizes of pours needs two of each. */
const minForLine = 4;
const minSizeRatio = 3;
/** More pours than this nobody makes in one evening. */
const maxMorePours = 30;

/** Combines calibration pours; null when none has both ticks and volume. */
export function estimateCalibration(
  measured: readonly MeasuredPour[],
  { wanted = wantedUncertainty, uCommon = 0 }: EstimateOptions = {},
): CalibrationEstimate | null {
  const usable = measured.filter(({ ticks, volumeMl }) => ticks > 0 && volumeMl > 0);
  if (usable.length === 0) return null;
  const total = (of: (pour: MeasuredPour) => number) => usable.reduce((sum, pour) => sum + of(pour), 0);
  const volumeMl = total((pour) => pour.volumeMl);
  const ticksPerMl = total(({ ticks }) => ticks) / volumeMl;
  const ratios = usable.map(({ ticks, volumeMl }) => ticks / volumeMl);
  const medianRatio = median(ratios);
  const medianDistance = median(ratios.map((one) => Math.abs(one - medianRatio)));
  const pours = usable.map((pour, i) => {
    const maxDistance = Math.max(
      outlierFactor * medianToDeviation * medianDistance,
      instrumentFactor * expectedScatter(pour) * medianRatio,
    );
    return {
      ticks: pour.ticks,
      volumeMl: pour.volumeMl,
      ticksPerMl: ratios[i]!,
      deviation: ratios[i]! / ticksPerMl - 1,
      isOutlier: ratios.length >= minPours && Math.abs(ratios[i]! - medianRatio) > maxDistance,
    };
  });
  const spread = ratios.length < 2 ? null : (Math.max(...ratios) - Math.min(...ratios)) / ticksPerMl;
  // A large pour has more weight in the sum, so its deviation has too.
  const scatter = Math.sqrt(
    total(
      ({ ticks, volumeMl: ml }) => (ml / (volumeMl / usable.length)) * (ticks / ml / ticksPerMl - 1) ** 2,
    ) / Math.max(1, usable.length - 1),
  );
  const expected = Math.sqrt(total((pour) => expectedScatter(pour) ** 2) / usable.length);
  const uncertaintyOf = (n: number) =>
    halfWidth({ n, uCommon, expected, scatter, hasScatter: usable.length >= minPours });
  return {
    ticksPerMl,
    pours,
    spread,
    uncertainty: uncertaintyOf(usable.length),
    morePours: findMorePours(usable.length, wanted, uncertaintyOf),
    line: fitLine(usable),
  };
}

/** Standard deviation of a single pour's factor that instrument and meter explain, as a share. */
export function expectedScatter({ ticks, volumeMl, uMl = jugReading * volumeMl }: MeasuredPour): number {
  return Math.hypot(uMl / volumeMl, meterRepeatability, tickRounding / ticks);
}

interface Scatter {
  readonly n: number;
  readonly uCommon: number;
  readonly expected: number;
  readonly scatter: number;
  readonly hasScatter: boolean;
}

/** 95 % interval of the mean of `n` pours. The scatter of one or two pours is a guess: the expected one stands in. */
function halfWidth({ n, uCommon, expected, scatter, hasScatter }: Scatter): number {
  const random = hasScatter && n >= minPours ? studentT(n - 1) * scatter : 2 * expected;
  return Math.hypot(random / Math.sqrt(n), 2 * uCommon);
}

function findMorePours(n: number, wanted: number, uncertaintyOf: (n: number) => number): number | null {
  for (let more = 0; more <= maxMorePours; more++) if (uncertaintyOf(n + more) <= wanted) return more;
  return null;
}

/** Weighted least squares; the weights are those of the expected scatter, the scale that of the residuals. */
function fitLine(pours: readonly MeasuredPour[]): PourLine | null {
  const volumes = pours.map(({ volumeMl }) => volumeMl);
  if (pours.length < minForLine || Math.max(...volumes) < minSizeRatio * Math.min(...volumes)) return null;
  const weights = pours.map((pour) => 1 / (expectedScatter(pour) * pour.ticks) ** 2);
  const sum = (of: (pour: MeasuredPour) => number) =>
    pours.reduce((total, pour, i) => total + weights[i]! * of(pour), 0);
  const [w, v, t] = [sum(() => 1), sum(({ volumeMl }) => volumeMl), sum(({ ticks }) => ticks)];
  const determinant = w * sum(({ volumeMl }) => volumeMl ** 2) - v ** 2;
  const ticksPerMl = (w * sum(({ volumeMl, ticks }) => volumeMl * ticks) - v * t) / determinant;
  const offsetTicks = (t - ticksPerMl * v) / w;
  const residual = sum(({ volumeMl, ticks }) => (ticks - offsetTicks - ticksPerMl * volumeMl) ** 2);
  const degrees = pours.length - 2;
  const variance = (residual / degrees) * (sum(({ volumeMl }) => volumeMl ** 2) / determinant);
  return { ticksPerMl, offsetTicks, offsetUncertainty: studentT(degrees) * Math.sqrt(variance) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(at)]! : (sorted[at - 1]! + sorted[at]!) / 2;
}

/** Two-sided 95 % quantiles of Student's t-distribution for 1 to 30 degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const normalQuantile = 1.96;

/** Factor from a standard error to the half width of its 95 % interval; `degrees` is a whole number from 1. */
export function studentT(degrees: number): number {
  // Beyond the table the difference from the normal distribution is close to 2.5 / degrees.
  return quantiles[degrees - 1] ?? normalQuantile + 2.4 / degrees;
}
