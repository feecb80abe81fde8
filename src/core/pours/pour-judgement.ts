import type { HeldReason } from './pour.ts';

/** A contact may bounce a few times; noise causes many rejected edges. */
const minRejectedEdges = 10;

/**
 * Largest volume accepted from another controller as one pour, mL: more than the largest keg holds is an
 * error.
 */
const maxReportedVolumeMl = 100_000;

/** What the pulses of one pour showed. */
interface PulseTrain {
  readonly ticks: number;
  /** Edges rejected by the filter while it ran. */
  readonly rejectedEdges: number;
  /** True when the maximum pour duration cut it off. */
  readonly reachedMaxDuration: boolean;
  /** Whether another tap started and stopped with it, or explains its edges (`SimultaneousPours`). */
  readonly simultaneous: boolean;
  /** Share of rejected edges, 0…1, above which the pulses are noise. */
  readonly noiseShare: number;
  /** True when the rhythm of the ticks is not that of a wheel. */
  readonly isNoise?: boolean;
}

/** Doubts that follow from the pulses alone, most serious first; empty for a plausible pour. */
export function findDoubts(train: PulseTrain): HeldReason[] {
  const doubts: HeldReason[] = [];
  if (train.simultaneous) doubts.push('simultaneous');
  if (train.isNoise || isNoisy(train)) doubts.push('electrical_noise');
  if (train.reachedMaxDuration) doubts.push('no_end');
  return doubts;
}

/**
 * Detects a pour faster than beer can flow, by its mean between first and last tick. That time covers n − 1
 * gaps of n ticks, so with `ticks` given the first tick's share of the volume is left out.
 * `stampResolutionMs` (100 ms for a serial board, which sends batches) is also the shortest duration assumed.
 */
export function checkFlow(pour: {
  readonly volumeMl: number;
  readonly durationMs: number;
  readonly maxFlowMlPerS: number;
  readonly ticks?: number;
  readonly stampResolutionMs?: number;
}): 'impossible_flow' | null {
  const { volumeMl, durationMs, maxFlowMlPerS, ticks, stampResolutionMs = 10 } = pour;
  const share = ticks === undefined ? 1 : ticks > 1 ? (ticks - 1) / ticks : 0;
  const seconds = Math.max(durationMs, stampResolutionMs) / 1_000;
  return (volumeMl * share) / seconds > maxFlowMlPerS ? 'impossible_flow' : null;
}

/** Detects a volume too large for one pour of another controller. */
export function checkReportedVolume(pour: {
  readonly volumeMl: number;
  readonly maxVolumeMl?: number;
}): 'too_large' | null {
  return pour.volumeMl > (pour.maxVolumeMl ?? maxReportedVolumeMl) ? 'too_large' : null;
}

/**
 * Detects one reported pour that is larger than its whole keg. What is more than the rest of a keg may be beer: a change of the
 * keg was not entered, or the meter of the controller is wrong by some percent.
 */
export const checkKegVolume = (volumeMl: number, fullVolumeMl: number): 'too_large' | null =>
  volumeMl > fullVolumeMl * 1.1 + smallPourMl ? 'too_large' : null;

/** No keg is too small for a pour of this volume, millilitres. */
export const smallPourMl = 500;

function isNoisy({ ticks, rejectedEdges, noiseShare }: PulseTrain): boolean {
  if (rejectedEdges < minRejectedEdges) return false;
  return rejectedEdges / (ticks + rejectedEdges) > noiseShare;
}
