/** One calibration pour: the ticks counted and the volume measured in a jug. */
interface MeasuredPour {
  readonly ticks: number;
  /** Above 0. */
  readonly volumeMl: number;
}

/** A calibration pour with its result. */
interface AssessedPour extends MeasuredPour {
  readonly ticksPerMl: number;
  /** Difference from the combined result, as a share: 0.02 means 2 % more ticks than the mean predicts. */
  readonly deviation: number;
  /**
   * True when it differs from the others by more than they differ among themselves: a reading or typing
   * error.
   */
  readonly isOutlier: boolean;
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
}

/** Reading error of a jug, as a share; pours that agree within it are no outliers. */
const readingError = 0.03;

/**
 * Limit as a multiple of the standard deviation; fewer than one correct pour in a thousand lies beyond it.
 */
const outlierFactor = 3.5;
/** Factor from the median absolute deviation to the standard deviation of a normal distribution. */
const medianToDeviation = 1.4826;

/** With fewer pours it is unknown which of them is wrong. */
const minForOutliers = 3;

/** Combines calibration pours; null when none has both ticks and volume. */
export function estimateCalibration(measured: readonly MeasuredPour[]): CalibrationEstimate | null {
  const usable = measured.filter(({ ticks, volumeMl }) => ticks > 0 && volumeMl > 0);
  if (usable.length === 0) return null;
  const sum = (of: (pour: MeasuredPour) => number) => usable.reduce((total, pour) => total + of(pour), 0);
  const ticksPerMl = sum(({ ticks }) => ticks) / sum(({ volumeMl }) => volumeMl);
  const ratios = usable.map(({ ticks, volumeMl }) => ticks / volumeMl);
  const medianRatio = median(ratios);
  const medianDistance = median(ratios.map((one) => Math.abs(one - medianRatio)));
  const maxDistance = Math.max(
    outlierFactor * medianToDeviation * medianDistance,
    readingError * medianRatio,
  );
  const pours = usable.map((pour, i) => ({
    ...pour,
    ticksPerMl: ratios[i]!,
    deviation: ratios[i]! / ticksPerMl - 1,
    isOutlier: ratios.length >= minForOutliers && Math.abs(ratios[i]! - medianRatio) > maxDistance,
  }));
  const spread = ratios.length < 2 ? null : (Math.max(...ratios) - Math.min(...ratios)) / ticksPerMl;
  return { ticksPerMl, pours, spread };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(at)]! : (sorted[at - 1]! + sorted[at]!) / 2;
}
