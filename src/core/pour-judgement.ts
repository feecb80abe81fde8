import type { HeldReason } from './pour.ts';

/** A contact that chatters once or twice is a contact; noise comes by the dozen. */
const minRejectedEdges = 10;

/** The most another controller can report as one pour: more than the largest keg holds is a mistake. */
export const maxReportedVolumeMl = 100_000;

/** What the pulse train of one pour showed. */
export interface PulseTrain {
  readonly ticks: number;
  /** Edges the filter refused while it ran. */
  readonly rejectedEdges: number;
  /** True when the longest pour allowed cut it off. */
  readonly ranOut: boolean;
  /** Whether another tap began and ended with it (`PourCompany`). */
  readonly simultaneous: boolean;
  /** Share of refused edges, 0…1, above which a train is noise. */
  readonly noiseShare: number;
}

/** Doubts that the pulses alone give, gravest first; none for a plain pour. */
export function findDoubts(train: PulseTrain): HeldReason[] {
  const doubts: HeldReason[] = [];
  if (train.simultaneous) doubts.push('simultaneous');
  if (isNoisy(train)) doubts.push('electrical_noise');
  if (train.ranOut) doubts.push('no_end');
  return doubts;
}

/**
 * Doubts a pour that ran faster than beer can, on the mean between its first and last tick. Of n ticks that time
 * covers n − 1 gaps, so with `ticks` given the first tick's share of the volume is left out.
 * `stampGrainMs` is how exact the stamps are (a serial board's come in batches of 100 ms): no pour is taken for shorter.
 */
export function checkFlow(pour: {
  readonly volumeMl: number;
  readonly durationMs: number;
  readonly maxFlowMlPerS: number;
  readonly ticks?: number;
  readonly stampGrainMs?: number;
}): 'impossible_flow' | null {
  const { volumeMl, durationMs, maxFlowMlPerS, ticks, stampGrainMs = 10 } = pour;
  const share = ticks === undefined ? 1 : ticks > 1 ? (ticks - 1) / ticks : 0;
  const seconds = Math.max(durationMs, stampGrainMs) / 1_000;
  return (volumeMl * share) / seconds > maxFlowMlPerS ? 'impossible_flow' : null;
}

/** Doubts a volume that another controller reported. */
export function checkReportedVolume(pour: {
  readonly volumeMl: number;
  readonly maxVolumeMl?: number;
}): 'too_large' | null {
  return pour.volumeMl > (pour.maxVolumeMl ?? maxReportedVolumeMl) ? 'too_large' : null;
}

function isNoisy({ ticks, rejectedEdges, noiseShare }: PulseTrain): boolean {
  if (rejectedEdges < minRejectedEdges) return false;
  return rejectedEdges / (ticks + rejectedEdges) > noiseShare;
}
