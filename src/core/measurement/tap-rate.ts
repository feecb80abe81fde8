import type { TickPair } from '../pours/tick-series.ts';
import { type OpenRate, seriesBinMs } from './gas-detector.ts';

/** Pours from which a tap's open rate is computed, and the fewest that suffice. */
export const ratePours = 30;
export const minRatePours = 10;

/** The time over which the fastest part of a pour is measured. */
const bestMs = 500;

/** A shorter pour may never have been fully open. */
const minDurationMs = 1_000;

/**
 * Rate that stands in for a tap whose own is unknown, millilitres per second: a quarter above the usual 60, so that a
 * fast tap's beer is not taken for gas.
 */
const defaultOpenMlPerS = 75;

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

/** The open rate of a tap by the best rates of its last clean pours; null when neither they nor the meter tell. */
export function toOpenRate(
  bestRates: readonly number[],
  meter: { readonly ticksPerMl: number; readonly isCalibrated: boolean },
): OpenRate | null {
  const known = bestRates.toSorted((a, b) => a - b);
  if (known.length >= minRatePours) {
    return { ticksPerS: known[Math.floor((known.length - 1) * 0.75)]!, isLearned: true };
  }
  // Without a model or calibration the factor may be wrong by half.
  if (!meter.isCalibrated) return null;
  return { ticksPerS: Math.max(defaultOpenMlPerS * meter.ticksPerMl, known.at(-1) ?? 0), isLearned: false };
}
