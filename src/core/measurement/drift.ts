import { rejectAbove } from './meter-learning.ts';

/** What a chart of a meter's deviations shows after one more piece of evidence. */
export interface DriftPoint {
  /** Sums of the deviations beyond the slack, upwards and downwards. */
  readonly high: number;
  readonly low: number;
  /** Exponentially weighted mean of the deviations. */
  readonly mean: number;
}

/** Whether and in which direction a meter drifts. */
export interface Drift {
  /** `high`: the meter counts more ticks than it did for the same beer. */
  readonly direction: 'high' | 'low';
  /** Index of the deviation that raised the alarm. */
  readonly at: number;
}

/** Deviations below it are no drift: half of a shift by one standard deviation. */
export const slack = 0.5;
/** One-sided mean run length 930 without drift, 10 at a shift of 1 standard deviation, 4 at 2. */
const alarmAbove = 5;
const meanWeight = 0.2;

/** CUSUM and weighted mean of deviations (multiples of their standard deviations), one point for each. */
export function driftChart(deviations: readonly number[]): readonly DriftPoint[] {
  let [high, low, mean] = [0, 0, 0];
  return deviations.map((deviation) => {
    // One wrong keg must not raise the alarm alone.
    const z = Math.max(-rejectAbove, Math.min(rejectAbove, deviation));
    high = Math.max(0, high + z - slack);
    low = Math.max(0, low - z - slack);
    mean += meanWeight * (z - mean);
    return { high, low, mean };
  });
}

/** The first alarm of a chart; null without one. */
export function findDrift(deviations: readonly number[]): Drift | null {
  const chart = driftChart(deviations);
  const at = chart.findIndex(({ high, low }) => high > alarmAbove || low > alarmAbove);
  return at === -1 ? null : { direction: chart[at]!.high > alarmAbove ? 'high' : 'low', at };
}
