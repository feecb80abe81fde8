import type { TickPair } from '../pours/tick-series.ts';
import { JumpSum, jumpRatio, type Place } from './jump-sum.ts';

/** A tap's usual rate while it is fully open. */
export interface OpenRate {
  /** Ticks per second, above 0. */
  readonly ticksPerS: number;
  /** False for the default of the meter's model, as long as the tap has too few pours. */
  readonly isLearned: boolean;
}

/** What flowed faster than the tap's beer does. */
export interface GasFinding {
  /** `foamy`: a jump that is too small or too short to be gas; its ticks count as beer. */
  readonly class: 'gas' | 'foamy';
  /** From the first tick to the jump. */
  readonly onsetMs: number;
  /** Ticks of gas; 0 for `foamy`. */
  readonly ticks: number;
  /** Mean rate since the jump, as a multiple of the open rate. */
  readonly ratio: number;
}

/** Bin width of a running pour, milliseconds. */
export const gasBinMs = 100;

/** Non-empty bins left out at the start, while the wheel spins up. */
const skippedBins = 3;

/**
 * Gas also has this mean since the jump: beer and foam do not. Over at least the first of these times, so that a
 * splash is not enough, and at most the second. Always 800 ms would include the slow foam before the gas and
 * report gas of twice the rate 0.2 s later.
 */
export const gasRatio = 1.4;
const gasWindowMs = { min: 500, max: 800 } as const;

/** Beer runs again when the rate returns to its usual one for this long: a pocket of gas has passed. */
const beerWindowMs = 2_000;
const beerRatios = { min: 0.7, max: 1.15 } as const;

/** Gas follows beer of at least this duration. A pour that is fast from its first tick is a hand, another pressure or another meter. */
const minBeerBeforeMs = 1_000;

/** Bins of a silence that are evaluated: no evidence survives more. */
const maxEmptyBins = 24;

interface DetectorOptions {
  /** Ticks of beer that the keg certainly has left: before them nothing is gas. */
  readonly certainTicks: number;
  /** Default 100 ms. */
  readonly binMs?: number;
}

/**
 * Finds the end of the beer in a pour by a cumulative sum of log-likelihood ratios against the tap's open rate. The
 * pour's own median would not do: a tap that is opened half and then fully makes the same jump as gas. Nor does the rate alone tell
 * a hand that opens further than any before from gas: what is certainly left in the keg does. A rate that certain beer had in this pour
 * is no gas later in it.
 *
 * The work per tick is one addition; a bin is evaluated when a tick after its end arrives.
 */
export class GasDetector {
  readonly #openRate: OpenRate;
  readonly #certainTicks: number;
  readonly #binMs: number;
  readonly #minGasBins: number;
  readonly #maxGasBins: number;
  readonly #beerBins: number;
  /** Counts of the last bins, newest at `#bins - 1`, and the ticks before each. */
  readonly #counts: Float64Array;
  readonly #ticksBefore: Float64Array;
  /** A jump above the tap's usual rate: foam, or a faster hand. */
  readonly #usual: JumpSum;
  /** A jump above the rate of this pour's beer. */
  readonly #beer: JumpSum;
  #bins = 0;
  #binEndMs: number;
  #binEdges = 0;
  #binTicks = 0;
  /** Ticks of the finished bins. */
  #ticks = 0;
  #skipped = 0;
  #edges = 0;
  #isGas = false;
  #isFast = false;
  #foamy: GasFinding | null = null;
  /** A jump above the usual rate while the beer is certain: foam if it ends soon, a faster hand if it lasts. */
  #passing: GasFinding | null = null;
  /** Where the jump began that lasted. */
  #fasterSinceMs: number | null = null;
  /** The first gas, where the present one began, and the ticks of all gas that has ended. */
  #firstGas: { onsetMs: number; ratio: number } | null = null;
  #onset: Place = { ms: 0, ticks: 0, edges: 0 };
  #endedGasTicks = 0;

  constructor(openRate: OpenRate, { certainTicks, binMs = gasBinMs }: DetectorOptions) {
    this.#openRate = openRate;
    this.#certainTicks = certainTicks;
    this.#binMs = binMs;
    const usual = (openRate.ticksPerS * binMs) / 1_000;
    this.#usual = new JumpSum(usual);
    this.#beer = new JumpSum(usual);
    this.#minGasBins = Math.ceil(gasWindowMs.min / binMs);
    this.#maxGasBins = Math.ceil(gasWindowMs.max / binMs);
    this.#beerBins = Math.ceil(beerWindowMs / binMs);
    this.#counts = new Float64Array(this.#beerBins);
    this.#ticksBefore = new Float64Array(this.#beerBins);
    this.#binEndMs = binMs;
  }

  /**
   * Adds ticks `offsetMs` after the first one; offsets never decrease. `edges` shows the rate: it is larger where the edge
   * filter rejected evenly spaced edges that came too fast.
   */
  add(offsetMs: number, ticks = 1, edges = ticks): void {
    if (offsetMs >= this.#binEndMs) this.#finishBins(offsetMs);
    this.#binTicks += ticks;
    this.#binEdges += edges;
  }

  /** True while the last ticks are gas. */
  get isGas(): boolean {
    return this.#isGas;
  }

  /** True when it ran faster than the tap does for half a second, whatever flowed; false while the tap's rate is not known. */
  get isFast(): boolean {
    return this.#isFast;
  }

  /** What was found so far; null for beer. */
  get finding(): GasFinding | null {
    if (this.#firstGas === null) return this.#foamy;
    const running = this.#isGas ? this.#ticks + this.#binTicks - this.#onset.ticks : 0;
    return { class: 'gas', ...this.#firstGas, ticks: this.#endedGasTicks + running };
  }

  #finishBins(offsetMs: number): void {
    let empty = 0;
    while (offsetMs >= this.#binEndMs) {
      this.#finishBin();
      if (empty++ < maxEmptyBins) continue;
      // The rest of the silence is skipped.
      this.#binEndMs = (Math.floor(offsetMs / this.#binMs) + 1) * this.#binMs;
    }
  }

  #finishBin(): void {
    const count = this.#binEdges;
    const slot = this.#bins % this.#beerBins;
    this.#counts[slot] = count;
    this.#ticksBefore[slot] = this.#ticks;
    this.#bins++;
    this.#ticks += this.#binTicks;
    this.#edges += count;
    this.#binTicks = 0;
    this.#binEdges = 0;
    this.#binEndMs += this.#binMs;
    const place = { ms: this.#binEndMs - this.#binMs, ticks: this.#ticks, edges: this.#edges };
    if (this.#skipped < skippedBins) {
      if (count > 0) this.#skipped++;
      return;
    }
    this.#isFast ||=
      this.#openRate.isLearned && this.#meanOfLast(this.#minGasBins) >= gasRatio * this.#usual.expected;
    if (this.#isGas) {
      this.#updateRatio(place);
      this.#findBeer(place);
      return;
    }
    const isBeer = place.ms <= minBeerBeforeMs || this.#ticksBefore[slot]! < this.#certainTicks;
    this.#usual.add(count, place);
    this.#judgeJump(place, isBeer);
    if (isBeer) this.#learnBeer(place);
    else this.#judgeGas(count, place);
  }

  /** A jump above the usual rate: foam, unless it lasts while the beer is certain, for then it is a faster hand. */
  #judgeJump(place: Place, isBeer: boolean): void {
    const { onset, isSuspect, isOver } = this.#usual;
    if (isOver) {
      this.#foamy ??= this.#passing;
      this.#passing = null;
    }
    if (this.#meanOfLast(this.#beerBins) >= jumpRatio * this.#usual.expected) {
      this.#passing = null;
      this.#fasterSinceMs = onset.ms;
    }
    const isJump = isSuspect && onset.ms >= minBeerBeforeMs && onset.ms !== this.#fasterSinceMs;
    if (!isJump || this.#foamy !== null) return;
    const ratio = this.#ratioSince(onset, place);
    const jump = { class: 'foamy', onsetMs: onset.ms, ticks: 0, ratio } as const;
    if (isBeer) this.#passing ??= jump;
    else if (onset.ticks >= this.#certainTicks) this.#foamy = jump;
  }

  /** What flows now is beer: its rate is one of beer later in this pour, too. */
  #learnBeer(place: Place): void {
    const bins = Math.min(this.#beerBins, this.#bins);
    if (bins >= this.#minGasBins) {
      const mean = this.#meanOfLast(bins);
      if (mean > beerRatios.max * this.#beer.expected) this.#beer.expected = mean;
    }
    this.#beer.restart(place);
  }

  #judgeGas(count: number, place: Place): void {
    this.#beer.add(count, place);
    const { onset, isSuspect, expected } = this.#beer;
    if (!isSuspect) return;
    const bins = (place.ms - onset.ms) / this.#binMs;
    if (bins < this.#minGasBins) return;
    if (this.#meanOfLast(Math.min(bins, this.#maxGasBins)) < gasRatio * expected) return;
    this.#isGas = true;
    this.#onset = onset;
    this.#firstGas ??= { onsetMs: onset.ms, ratio: this.#ratioSince(onset, place) };
  }

  #updateRatio(place: Place): void {
    if (this.#endedGasTicks === 0 && this.#firstGas !== null)
      this.#firstGas.ratio = this.#ratioSince(this.#onset, place);
  }

  #findBeer(place: Place): void {
    // Not the beer before the gas.
    if (place.ms - this.#onset.ms < this.#beerBins * this.#binMs) return;
    const ratio = this.#meanOfLast(this.#beerBins) / this.#beer.expected;
    if (ratio < beerRatios.min || ratio > beerRatios.max) return;
    const beerFrom = this.#ticksBefore[this.#bins % this.#beerBins]!;
    this.#endedGasTicks += beerFrom - this.#onset.ticks;
    this.#isGas = false;
    this.#beer.restart(place);
    this.#usual.restart(place);
  }

  /** Mean rate from one place to another, as a multiple of the open rate. */
  #ratioSince(onset: Place, place: Place): number {
    return (place.edges - onset.edges) / (place.ms - onset.ms) / (this.#openRate.ticksPerS / 1_000);
  }

  #meanOfLast(bins: number): number {
    let sum = 0;
    const available = Math.min(bins, this.#bins);
    for (let i = 1; i <= available; i++) sum += this.#counts[(this.#bins - i) % this.#beerBins]!;
    return sum / bins;
  }
}

/** The gas in a finished pour, from its series; null for beer. */
export function findGas(
  pairs: readonly TickPair[],
  openRate: OpenRate,
  { certainTicks }: Pick<DetectorOptions, 'certainTicks'>,
): GasFinding | null {
  const binMs = seriesBinMs(pairs);
  const detector = new GasDetector(openRate, { certainTicks, binMs });
  for (const { ms, ticks } of pairs) detector.add(ms, ticks);
  // Ends the last bin.
  detector.add((pairs.at(-1)?.ms ?? 0) + binMs, 0);
  return detector.finding;
}

/** Bucket width of a series: 100 ms, doubled where a long pour has too many buckets. */
export function seriesBinMs(pairs: readonly TickPair[]): number {
  let binMs = Number.POSITIVE_INFINITY;
  for (let i = 1; i < pairs.length; i++) binMs = Math.min(binMs, pairs[i]!.ms - pairs[i - 1]!.ms);
  return Number.isFinite(binMs) ? Math.max(gasBinMs, binMs) : gasBinMs;
}
