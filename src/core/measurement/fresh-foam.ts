import { sumTicks, type TickPair } from '../pours/tick-series.ts';
import { type OpenRate, seriesBinMs } from './gas-detector.ts';

/** A quarter of foam is beer (Siebel), give or take another quarter: gas of the line comes with it. */
export const foamBeerShare = 0.25;
/** Standard uncertainty of that share. */
export const uFoamBeerShare = 0.25;

/** A keg is fresh until so much of it was poured: millilitres, and as a share. */
const freshMl = 3_000;
const freshShare = 0.1;
/** Bins are wide enough for so many ticks at the tap's usual rate, where that is not too wide. */
const minBinTicks = 12;
const maxBinMs = 300;
/** Bins left out at the start, while handle and wheel speed up. */
const skippedBins = 2;
/** A tap that is nearly shut says nothing of what flows, as a share of the usual rate. */
const minRateShare = 0.5;
/** Below this share it was shut: a hand that stops and goes on makes changes of its own. */
const shutShare = 0.15;

/** Change of the rate from one bin to the next, as a logarithm: standard deviation of beer and of foam. */
const beerChange = 0.025;
const foamChange = 0.1;
/** Standard deviation of the difference of two counts by their rounding, ticks. */
const roundingTicks = 0.6;
/** Evidence of one bin is bounded: a hand moves the handle at once. */
const maxStep = 1;
const minStep = -1;
/** Sum of evidence from which foam is believed, and gas of a keg that may be empty: a question more costs more than a little foam. */
export const unevenLevels = { foam: 4.5, gas: 6 } as const;

/** What was poured and spilled of a keg, and what it held, millilitres. */
interface UsedKeg {
  readonly fullVolumeMl: number;
  readonly servedVolumeMl: number;
  readonly spilledVolumeMl: number;
}

/** Whether gas of the line and foam may come before the beer of a keg. */
export const isFreshKeg = ({ fullVolumeMl, servedVolumeMl, spilledVolumeMl }: UsedKeg): boolean =>
  servedVolumeMl + spilledVolumeMl < Math.min(freshMl, freshShare * fullVolumeMl);

/**
 * Ticks of the gas and foam with which a pour begins: its longest beginning that is uneven. 0 for beer, however fast it is: a hand that
 * opens further pours evenly. `pairs` are in the order of their time, with exact stamps: ticks that come in batches are uneven by
 * themselves.
 *
 * The prefix with the greatest sum of log-likelihood ratios of the changes from bin to bin, of foam against beer.
 */
export function findUnevenTicks(
  pairs: readonly TickPair[],
  { ticksPerS }: Pick<OpenRate, 'ticksPerS'>,
  level: number = unevenLevels.foam,
): number {
  const binMs = toBinMs(seriesBinMs(pairs), ticksPerS);
  const bins = toBins(pairs, binMs);
  const usual = (ticksPerS * binMs) / 1_000;
  let sum = 0;
  let best = { sum: 0, bins: 0 };
  for (let i = skippedBins + 1; i < bins.length; i++) {
    const [before, count] = [bins[i - 1]!, bins[i]!];
    if (count < shutShare * usual) break;
    if (Math.min(before, count) < minRateShare * usual) continue;
    sum += evidenceOf(before, count);
    if (sum > best.sum) best = { sum, bins: i + 1 };
  }
  if (best.sum < level) return 0;
  return sumTicks(pairs.filter(({ ms }) => ms < best.bins * binMs));
}

/** Log-likelihood ratio of foam against beer by the counts of two bins, one after the other. */
function evidenceOf(before: number, count: number): number {
  const change = Math.log(count / before);
  const beer = Math.hypot(beerChange, (2 * roundingTicks) / (before + count));
  const foam = Math.hypot(foamChange, beer);
  const step = Math.log(beer / foam) + (change ** 2 / 2) * (1 / beer ** 2 - 1 / foam ** 2);
  return Math.min(Math.max(step, minStep), maxStep);
}

function toBinMs(seriesMs: number, ticksPerS: number): number {
  const wanted = Math.ceil((minBinTicks * 1_000) / ticksPerS / seriesMs);
  return seriesMs * Math.max(1, Math.min(wanted, Math.floor(maxBinMs / seriesMs)));
}

/** Ticks in bins of one width from the first tick to the last full bin. */
function toBins(pairs: readonly TickPair[], binMs: number): number[] {
  const bins = new Array<number>(Math.floor((pairs.at(-1)?.ms ?? 0) / binMs) + 1).fill(0);
  for (const { ms, ticks } of pairs) bins[Math.floor(ms / binMs)]! += ticks;
  return bins;
}
