import type { TickPair } from '../pours/tick-series.ts';
import { seriesBinMs } from './gas-detector.ts';
import { beerPairs, beerTicksOf, type PouredTicks } from './pour-volume.ts';

/** How often and how fast the flow of a pour began, as far as its ticks show it. */
export interface PourStarts {
  /** The rate that each start reached, added up: the wheel lags behind the flow in proportion to it. Ticks per second. */
  readonly riseHz: number;
  /** Time in which it flowed, without its pauses, milliseconds. */
  readonly flowMs: number;
}

/** Flow of a pour of which only the volume is known, mL/s: that of an open tap. */
export const usualMlPerS = 60;

/** A silence is a pause when it is longer than this, and than so many mean gaps of the pour: a slow meter ticks rarely. */
const pauseMs = 400;
const pauseGaps = 4;
/** The rate is averaged over the time of so many mean gaps. */
const windowTicks = 6;
/** The rate has fallen, or risen again, when it changed by this share of the highest: a turning wheel is less even than a hand is. */
const changeShare = 0.5;

const maxBins = 4_096;

/** A pour as it is stored. */
export type TimedTicks = Omit<PouredTicks, 'source' | 'pourId'> & {
  readonly durationMs: number;
  readonly volumeMl: number;
};

/** The starts of a pour by its tick series; one start where it has none. */
export function pourStarts(pour: TimedTicks): PourStarts {
  const { durationMs, volumeMl } = pour;
  const ticks = beerTicksOf(pour);
  if (durationMs === 0 || ticks < 2)
    return {
      riseHz: volumeMl > 0 ? (usualMlPerS * ticks) / volumeMl : 0,
      flowMs: (volumeMl * 1_000) / usualMlPerS,
    };
  const pairs = beerPairs(pour);
  const flowMs = durationMs * (ticks / pour.ticks);
  if (pairs === null || pairs.length < 2) return { riseHz: (ticks * 1_000) / flowMs, flowMs };
  return toStarts(pairs, durationMs, pour.ticks);
}

function toStarts(pairs: readonly TickPair[], durationMs: number, ticks: number): PourStarts {
  const gapMs = durationMs / ticks;
  const endMs = Math.min(durationMs, pairs.at(-1)!.ms + seriesBinMs(pairs));
  const binMs = Math.max(seriesBinMs(pairs), endMs / maxBins);
  const pauses = pairs.slice(1).map(({ ms }, i) => ms - pairs[i]!.ms);
  const longestMs = Math.max(pauseMs, pauseGaps * gapMs);
  const pausedMs = pauses.reduce((sum, ms) => sum + (ms > longestMs ? ms - binMs : 0), 0);
  const counts: number[] = Array(Math.ceil(endMs / binMs)).fill(0);
  for (const pair of pairs) counts[Math.min(counts.length - 1, Math.floor(pair.ms / binMs))]! += pair.ticks;
  const reach = Math.floor(Math.ceil((windowTicks * gapMs) / binMs) / 2);
  return {
    riseHz: sumRises(counts, reach) * (1_000 / binMs),
    flowMs: Math.max(1, endMs - pairs[0]!.ms - pausedMs),
  };
}

/**
 * Adds up how far the rate rose, from nothing at first and from each valley after that: ticks per bin, averaged over `reach` bins on
 * either side.
 */
function sumRises(counts: readonly number[], reach: number): number {
  let [sum, valley, peak, isRising, ticks] = [0, 0, 0, true, 0];
  for (let i = -reach; i < counts.length; i++) {
    ticks += (counts[i + reach] ?? 0) - (counts[i - reach - 1] ?? 0);
    if (i < 0) continue;
    // At the ends there is less than the whole window.
    const rate = ticks / (Math.min(i + reach, counts.length - 1) - Math.max(i - reach, 0) + 1);
    if (isRising) {
      if (rate > peak) peak = rate;
      else if (rate < (1 - changeShare) * peak) {
        sum += peak - valley;
        [valley, isRising] = [rate, false];
      }
    } else if (rate < valley) valley = rate;
    else if (rate - valley > changeShare * peak) [peak, isRising] = [rate, true];
  }
  return isRising ? sum + peak - valley : sum;
}
