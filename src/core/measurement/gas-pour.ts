import { sumTicks, type TickPair } from '../pours/tick-series.ts';
import { findUnevenTicks, unevenLevels } from './fresh-foam.ts';
import { findGas, type GasFinding, gasRatio, type OpenRate } from './gas-detector.ts';

/** The wheel spins up and a hand opens the tap within this time, which is left out. */
const spinUpMs = 300;
/** A shorter pour says nothing. */
const minGasMs = 500;
/** The beginning of a pour, which shows how far the tap is open. */
const ownRateMs = 1_000;
/** Gas carries drops along: so much of the pour must be uneven, as a share of its ticks. */
const minUnevenShare = 0.8;

/** What is known of the tap whose keg may be empty. */
interface JudgedPour {
  readonly openRate: OpenRate;
  /** From the first tick to the last. */
  readonly durationMs: number;
  /** True while staff are asked whether this keg is empty, since gas came after its beer. */
  readonly isSuspected: boolean;
  /** False where ticks come in batches, whose unevenness says nothing of the flow. */
  readonly hasExactStamps: boolean;
}

/**
 * Whether a pour was gas from its first tick. Its rate alone does not tell: a hand that opens further, another pressure or another
 * meter is as fast, pour after pour. It is gas only where gas came out of this keg before, or where it sputters as gas does. `pairs`
 * are in the order of their time.
 */
export function isGasPour(
  pairs: readonly TickPair[],
  { openRate, durationMs, isSuspected, hasExactStamps }: JudgedPour,
): boolean {
  const spanMs = durationMs - spinUpMs;
  if (spanMs < minGasMs) return false;
  const ticks = sumTicks(pairs.filter(({ ms }) => ms >= spinUpMs));
  if (ticks * 1_000 < gasRatio * openRate.ticksPerS * spanMs) return false;
  if (isSuspected) return true;
  if (!openRate.isLearned || !hasExactStamps) return false;
  return isUneven(pairs, openRate);
}

const isUneven = (pairs: readonly TickPair[], rate: Pick<OpenRate, 'ticksPerS'>): boolean =>
  findUnevenTicks(pairs, rate, unevenLevels.gas) >= minUnevenShare * sumTicks(pairs);

/**
 * Gas after the beer of a pour whose tap was not fully open, so that it runs no faster than beer does at other hands: a jump above the
 * rate with which this pour began, and sputtering since. A hand that opens further makes the same jump, but pours evenly. Null for
 * beer. `pairs` are in the order of their time, with exact stamps.
 */
export function findSputteringGas(
  pairs: readonly TickPair[],
  { openRate, certainTicks }: { readonly openRate: OpenRate; readonly certainTicks: number },
): GasFinding | null {
  const beginning = pairs.filter(({ ms }) => ms >= spinUpMs && ms < spinUpMs + ownRateMs);
  const ticksPerS = (sumTicks(beginning) * 1_000) / ownRateMs;
  if (ticksPerS === 0 || ticksPerS >= openRate.ticksPerS) return null;
  const found = findGas(pairs, { ticksPerS, isLearned: true }, { certainTicks });
  if (found?.class !== 'gas') return null;
  const since = pairs.flatMap(({ ms, ticks }) =>
    ms < found.onsetMs ? [] : [{ ms: ms - found.onsetMs, ticks }],
  );
  const gasRate = { ticksPerS: found.ratio * ticksPerS };
  if (!isUneven(since, gasRate)) return null;
  return { ...found, ratio: (found.ratio * ticksPerS) / openRate.ticksPerS };
}
