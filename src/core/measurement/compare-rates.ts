import { type CurvePoint, curveThrough } from './meter-curve.ts';
import { coverage } from './uncertainty.ts';
import { estimateCalibration, expectedScatter, type MeasuredPour } from './weighed-pours.ts';

/** A measured pour with the rate at which its ticks fell, ticks per second; null where it is not known. */
export interface RatedPour extends MeasuredPour {
  readonly hz: number | null;
}

/** Measured pours of about the same rate. */
export interface RateGroup extends CurvePoint {
  readonly pours: number;
  /** Standard uncertainty of the factor without what all pours have in common, as a share. */
  readonly u: number;
}

/** Measured pours at two rates. */
export interface RateComparison {
  readonly low: RateGroup;
  readonly high: RateGroup;
  /** How much more the meter ticks at the higher rate, as a share. */
  readonly difference: number;
  /** True when that is more than chance: one factor cannot serve both. */
  readonly isDifferent: boolean;
  /** A curve through both. */
  readonly points: readonly CurvePoint[];
  /** For each pour whether it deviates from those of its rate. */
  readonly outliers: readonly boolean[];
}

/** Rates are clearly different from this ratio on. */
export const minRateRatio = 1.5;
/** Multiple of the standard uncertainty that chance does not reach. */
const significant = 3;

/** Compares pours at two clearly different rates; null while all have about the same. */
export function compareRates(pours: readonly RatedPour[]): RateComparison | null {
  const limit = findLimit(pours);
  if (limit === null) return null;
  const isLow = ({ hz }: RatedPour) => hz !== null && hz < limit;
  const isHigh = ({ hz }: RatedPour) => hz !== null && hz >= limit;
  const [low, high] = [toGroup(pours.filter(isLow)), toGroup(pours.filter(isHigh))];
  if (low === null || high === null || high.hz < minRateRatio * low.hz) return null;
  const { outliers: lowOutliers, ...lowGroup } = low;
  const { outliers: highOutliers, ...highGroup } = high;
  const difference = high.ticksPerMl / low.ticksPerMl - 1;
  return {
    low: lowGroup,
    high: highGroup,
    difference,
    isDifferent: Math.abs(Math.log1p(difference)) > significant * Math.hypot(low.u, high.u),
    points: curveThrough(lowGroup, highGroup),
    outliers: pours.map((pour) => lowOutliers.has(pour) || highOutliers.has(pour)),
  };
}

/** The rate that separates slow from fast pours: above the largest step between two of them. */
function findLimit(pours: readonly RatedPour[]): number | null {
  const rates = pours.flatMap(({ hz }) => (hz !== null && hz > 0 ? [hz] : [])).sort((a, b) => a - b);
  let [limit, step] = [Number.NaN, 1];
  for (let i = 1; i < rates.length; i++) {
    const ratio = rates[i]! / rates[i - 1]!;
    if (ratio > step) [limit, step] = [rates[i]!, ratio];
  }
  return Number.isNaN(limit) ? null : limit;
}

function toGroup(pours: readonly RatedPour[]) {
  const estimate = estimateCalibration(pours);
  if (estimate === null || estimate.pours.length < pours.length) return null;
  const expected = Math.hypot(...pours.map(expectedScatter)) / Math.sqrt(pours.length);
  const ticks = pours.reduce((sum, pour) => sum + pour.ticks, 0);
  return {
    hz: pours.reduce((sum, pour) => sum + pour.ticks * pour.hz!, 0) / ticks,
    ticksPerMl: estimate.ticksPerMl,
    pours: pours.length,
    // Few pours may agree by chance more closely than meter and instrument can.
    u: Math.max(estimate.uncertainty / coverage, expected / Math.sqrt(pours.length)),
    outliers: new Set(pours.filter((_, i) => estimate.pours[i]!.isOutlier)),
  };
}
