import type { TickPair } from '../pours/tick-series.ts';
import { seriesBinMs } from './gas-detector.ts';
import { bestRate } from './tap-rate.ts';

/** A pour whose beginning is compared lasts at least this long, milliseconds: the first part, and half a second fully open. */
const riseSpanMs = 1_500;
const minRiseDurationMs = 2_000;
/** Below this many ticks in the first part the time is not exact to a tenth of a second. */
const minRiseTicks = 15;

/** Ticks of a bin in which half as many are certainly a dip: a slow meter needs wider bins. */
const minBinTicks = 4;
/** A hand that stops and goes on takes longer than a wheel that sticks, milliseconds. */
const maxDipMs = 300;
/** Shares of the pour's median rate: below the first it is a dip, above the second the flow before and after it is steady. */
const dipRatio = 0.5;
const steadyRatio = 0.7;

/** What the ticks of one pour show of its line. */
export interface PourFlow {
  /** Ticks per second of its fastest half second. */
  readonly ticksPerS: number;
  /** How much later its beginning flowed than if it had been fully open at once, milliseconds; null when it is too short. */
  readonly riseMs: number | null;
  /** Short stops while beer flowed, and the time in which they were counted; null when the meter is too coarse. */
  readonly dips: { readonly count: number; readonly ms: number } | null;
}

/** The flow of a pour from its series; null when it is too short to tell. */
export function toPourFlow(pairs: readonly TickPair[], durationMs: number): PourFlow | null {
  const ticksPerS = bestRate(pairs, durationMs);
  if (ticksPerS === null || ticksPerS === 0) return null;
  const binMs = seriesBinMs(pairs);
  return {
    ticksPerS,
    riseMs: durationMs < minRiseDurationMs || binMs > maxDipMs ? null : findRise(pairs, ticksPerS),
    dips: findDips(pairs, { binMs, durationMs }),
  };
}

/** Time that is missing in the first part of a pour: half of the time in which a valve opens evenly. */
function findRise(pairs: readonly TickPair[], ticksPerS: number): number | null {
  let ticks = 0;
  for (const pair of pairs) if (pair.ms < riseSpanMs) ticks += pair.ticks;
  const expected = (ticksPerS * riseSpanMs) / 1_000;
  return expected < minRiseTicks ? null : Math.max(0, riseSpanMs - (ticks / ticksPerS) * 1_000);
}

function findDips(
  pairs: readonly TickPair[],
  { binMs, durationMs }: { readonly binMs: number; readonly durationMs: number },
): PourFlow['dips'] {
  const narrow = toBins(pairs, binMs);
  const usual = median(narrow.filter((count) => count > 0));
  const width = Math.max(1, Math.ceil(minBinTicks / Math.max(usual, 0.1)));
  if (width * binMs > maxDipMs) return null;
  const bins = width === 1 ? narrow : toBins(pairs, binMs * width);
  const steady = median(bins.filter((count) => count > 0));
  const most = Math.floor(maxDipMs / (binMs * width));
  let count = 0;
  for (let i = 1; i < bins.length - 1; i++) {
    if (bins[i]! >= dipRatio * steady || bins[i - 1]! < steadyRatio * steady) continue;
    let end = i;
    while (end < bins.length && bins[end]! < dipRatio * steady) end++;
    // The last bins are those in which the tap is shut.
    if (end - i <= most && end < bins.length - 1 && bins[end]! >= steadyRatio * steady) count++;
    i = end;
  }
  return { count, ms: durationMs };
}

/** Ticks in bins of one width from the first tick to the last. */
function toBins(pairs: readonly TickPair[], binMs: number): number[] {
  const length = Math.floor((pairs.at(-1)?.ms ?? 0) / binMs) + 1;
  const bins = new Array<number>(length).fill(0);
  for (const { ms, ticks } of pairs) bins[Math.floor(ms / binMs)]! += ticks;
  return bins;
}

/** The middle value; 0 without any. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5) ?? 0;
}

/** The value at a share of the sorted list, without interpolation; null without any. */
export function quantile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  return Float64Array.from(values).sort()[Math.round((values.length - 1) * share)]!;
}
