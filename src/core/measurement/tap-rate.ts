import type { TickPair } from '../pours/tick-series.ts';
import { type OpenRate, seriesBinMs } from './gas-detector.ts';

/**
 * Pours from which a tap’s open rate is computed, and the fewest that suffice. Where one hand in thirty opens a tap fully, one of sixty
 * pours shows it in 87 of 100 cases.
 */
export const ratePours = 60;
export const minRatePours = 10;

/** The time over which the fastest part of a pour is measured. */
const bestMs = 500;

/** A shorter pour may never have been fully open. */
const minDurationMs = 1_000;

/**
 * Flow that stands in for a tap whose own is unknown, millilitres per second: a quarter above the usual 60, so that a
 * fast tap's beer is not taken for gas.
 */
export const defaultOpenMlPerS = 75;

/** The most ticks per millilitre of any meter in use, an SF800 by the highest of its published factors. */
export const finestTicksPerMl = 6.1;

/** By what the default rate of a tap is computed: its meter's model, its calibration, or the finest meter in use. */
export const rateDefaults = ['model', 'calibration', 'any_meter'] as const;
export type RateDefault = (typeof rateDefaults)[number];

/** A tap's open rate, and what stood in for it. */
export interface TapRate extends OpenRate {
  /** Null once the rate is learned. */
  readonly defaultBy: RateDefault | null;
  /** Clean pours from which it was or will be learned. */
  readonly pours: number;
}

interface RatedMeter {
  readonly ticksPerMl: number;
  readonly isCalibrated: boolean;
  /** Ticks per second of an open tap by the figures of its model; null where the model is not known. */
  readonly modelHz: number | null;
}

/** Ticks per second in the fastest half second of a pour; null when it is too short to tell. */
export function bestRate(pairs: readonly TickPair[], durationMs: number): number | null {
  if (durationMs < minDurationMs || pairs.length === 0) return null;
  const binMs = seriesBinMs(pairs);
  const windowMs = Math.ceil(bestMs / binMs) * binMs;
  let best = 0;
  let sum = 0;
  let from = 0;
  for (const { ms, ticks } of pairs) {
    sum += ticks;
    while (pairs[from]!.ms + windowMs <= ms) sum -= pairs[from++]!.ticks;
    best = Math.max(best, sum);
  }
  return (best * 1_000) / windowMs;
}

/** The open rate of a tap by the best rates of its last clean pours, else a default that ordinary beer does not exceed. */
export function toOpenRate(bestRates: readonly number[], meter: RatedMeter): TapRate {
  const known = bestRates.toSorted((a, b) => a - b);
  const pours = known.length;
  if (pours >= minRatePours) {
    // The highest: what any hand has poured is no gas. Pours with foam are left out.
    const ticksPerS = known[pours - 1]!;
    return { ticksPerS, isLearned: true, defaultBy: null, pours };
  }
  const { defaultBy, ticksPerS } = toDefaultRate(meter);
  return { ticksPerS: Math.max(ticksPerS, known.at(-1) ?? 0), isLearned: false, defaultBy, pours };
}

/** The higher rate where both the model and the calibration tell: one of them may be wrong. */
function toDefaultRate({ ticksPerMl, isCalibrated, modelHz }: RatedMeter): {
  readonly ticksPerS: number;
  readonly defaultBy: RateDefault;
} {
  const calibratedHz = isCalibrated ? defaultOpenMlPerS * ticksPerMl : 0;
  if (modelHz !== null) return { ticksPerS: Math.max(modelHz, calibratedHz), defaultBy: 'model' };
  if (isCalibrated) return { ticksPerS: calibratedHz, defaultBy: 'calibration' };
  return { ticksPerS: defaultOpenMlPerS * finestTicksPerMl, defaultBy: 'any_meter' };
}
