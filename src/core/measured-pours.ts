/** A pour somebody has measured: what the meter counted, and what was in the jug. */
export interface MeasuredPour {
  readonly ticks: number;
  /** Above 0. */
  readonly volumeMl: number;
}

/** What one measured pour says by itself. */
export interface JudgedPour extends MeasuredPour {
  readonly ticksPerMl: number;
  /** How far it lies from all together, as a share: 0.02 counted two per cent more ticks than the mean would. */
  readonly deviation: number;
  /** True when it disagrees with the others by more than they do among themselves: a slip of eye or hand. */
  readonly isOutlier: boolean;
}

/** What several measured pours say together. */
export interface CalibrationEstimate {
  /** All ticks over all millilitres: a large pour counts for more, as its reading errs for less. */
  readonly ticksPerMl: number;
  readonly pours: readonly JudgedPour[];
  /** From the lowest to the highest, as a share of the mean; null for a single pour. */
  readonly spread: number | null;
}

/** Nobody reads a jug better than this, as a share; what agrees so far is no outlier. */
const readingError = 0.03;

/** Times the usual distance from the middle; beyond it hardly one honest pour in a thousand lies. */
const outlierFactor = 3.5;
/** From the median distance to the standard deviation, for errors that spread as errors do. */
const medianToDeviation = 1.4826;

/** With fewer it cannot be told which of them is wrong. */
const minForOutliers = 3;

/** Puts measured pours together; null when none has ticks and volume. */
export function estimateCalibration(measured: readonly MeasuredPour[]): CalibrationEstimate | null {
  const usable = measured.filter(({ ticks, volumeMl }) => ticks > 0 && volumeMl > 0);
  if (usable.length === 0) return null;
  const sum = (of: (pour: MeasuredPour) => number) => usable.reduce((total, pour) => total + of(pour), 0);
  const ticksPerMl = sum(({ ticks }) => ticks) / sum(({ volumeMl }) => volumeMl);
  const single = usable.map(({ ticks, volumeMl }) => ticks / volumeMl);
  const middle = median(single);
  const medianDistance = median(single.map((one) => Math.abs(one - middle)));
  const maxDistance = Math.max(outlierFactor * medianToDeviation * medianDistance, readingError * middle);
  const pours = usable.map((pour, i) => ({
    ...pour,
    ticksPerMl: single[i]!,
    deviation: single[i]! / ticksPerMl - 1,
    isOutlier: single.length >= minForOutliers && Math.abs(single[i]! - middle) > maxDistance,
  }));
  const spread = single.length < 2 ? null : (Math.max(...single) - Math.min(...single)) / ticksPerMl;
  return { ticksPerMl, pours, spread };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(at)]! : (sorted[at - 1]! + sorted[at]!) / 2;
}
