import type { TickPair } from '../pours/tick-series.ts';

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

/** The jump for which the test is made, as a multiple of the open rate. */
export const jumpRatio = 1.35;

/** Spread of the counts of a turning wheel, as a share of a Poisson process's. */
const dispersion = 0.4;

/** Sum of evidence above which a jump is suspected. */
const suspectLevel = 8;

/** One bin cannot prove a jump: three are needed. */
const maxStep = suspectLevel / 2.01;

/** Non-empty bins left out at the start, while the wheel spins up. */
const skippedBins = 3;

/**
 * Gas also has this mean since the jump: beer and foam do not. Over at least the first of these times, so that a
 * splash is not enough, and at most the second. Always 800 ms would include the slow foam before the gas and
 * report gas of twice the rate 0.2 s later.
 */
const gasRatio = 1.4;
const gasWindowMs = { min: 500, max: 800 } as const;

/** Beer runs again when the rate returns to its usual one for this long: a pocket of gas has passed. */
const beerWindowMs = 2_000;
const beerRatios = { min: 0.7, max: 1.15 } as const;

/** Before ten pours nobody knows whether a tap is fast: gas must then follow beer of this duration. */
const minBeerBeforeMs = 1_000;

/** Bins of a silence that are evaluated: no evidence survives more. */
const maxEmptyBins = 24;

/**
 * Finds the end of the beer in a pour by a cumulative sum of log-likelihood ratios against the tap's open rate. The
 * pour's own median would not do: a tap that is opened half and then fully makes the same jump as gas.
 *
 * The work per tick is one addition; a bin is evaluated when a tick after its end arrives.
 */
export class GasDetector {
  readonly #openRate: OpenRate;
  readonly #binMs: number;
  /** Expected ticks per bin. */
  readonly #expected: number;
  readonly #minGasBins: number;
  readonly #maxGasBins: number;
  readonly #beerBins: number;
  /** Counts of the last bins, newest at `#bins - 1`, and the ticks before each. */
  readonly #counts: Float64Array;
  readonly #ticksBefore: Float64Array;
  #bins = 0;
  #binEndMs: number;
  #binEdges = 0;
  #binTicks = 0;
  /** Ticks of the finished bins. */
  #ticks = 0;
  #skipped = 0;
  #sum = 0;
  #onset = { ms: 0, ticks: 0, edges: 0 };
  #edges = 0;
  #state: 'beer' | 'suspect' | 'gas' = 'beer';
  #foamy: GasFinding | null = null;
  /** The first gas, and the ticks of all gas that has ended. */
  #firstGas: { onsetMs: number; ratio: number } | null = null;
  #endedGasTicks = 0;

  constructor(openRate: OpenRate, binMs: number = gasBinMs) {
    this.#openRate = openRate;
    this.#binMs = binMs;
    this.#expected = (openRate.ticksPerS * binMs) / 1_000;
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
    return this.#state === 'gas';
  }

  /** What was found so far; null for beer. */
  get finding(): GasFinding | null {
    if (this.#firstGas === null) return this.#foamy;
    const running = this.isGas ? this.#ticks + this.#binTicks - this.#onset.ticks : 0;
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
    const endMs = this.#binEndMs - this.#binMs;
    if (this.#skipped < skippedBins) {
      if (count > 0) this.#skipped++;
      return;
    }
    if (this.#state === 'gas') {
      this.#updateRatio(endMs);
      this.#findBeer();
      return;
    }
    this.#judge(count, endMs);
  }

  #judge(count: number, endMs: number): void {
    const step = (count * Math.log(jumpRatio) - this.#expected * (jumpRatio - 1)) / dispersion;
    this.#sum = Math.min(Math.max(this.#sum + Math.min(step, maxStep), 0), 2 * suspectLevel);
    if (this.#sum === 0) {
      this.#onset = { ms: endMs, ticks: this.#ticks, edges: this.#edges };
      this.#state = 'beer';
      return;
    }
    if (this.#sum <= suspectLevel || this.#isTooEarly()) return;
    this.#state = 'suspect';
    const ratio = this.#ratioSinceOnset(endMs);
    this.#foamy ??= { class: 'foamy', onsetMs: this.#onset.ms, ticks: 0, ratio };
    const sinceOnset = (endMs - this.#onset.ms) / this.#binMs;
    if (sinceOnset < this.#minGasBins) return;
    if (this.#meanOfLast(Math.min(sinceOnset, this.#maxGasBins)) < gasRatio * this.#expected) return;
    this.#state = 'gas';
    this.#firstGas ??= { onsetMs: this.#onset.ms, ratio };
  }

  /** The tap's rate is not known, and nothing slower has flowed before. */
  #isTooEarly(): boolean {
    return !this.#openRate.isLearned && this.#onset.ms < minBeerBeforeMs;
  }

  #updateRatio(endMs: number): void {
    if (this.#endedGasTicks === 0 && this.#firstGas !== null) {
      this.#firstGas.ratio = this.#ratioSinceOnset(endMs);
    }
  }

  #findBeer(): void {
    const mean = this.#meanOfLast(this.#beerBins);
    if (this.#bins < this.#beerBins) return;
    if (mean < beerRatios.min * this.#expected || mean > beerRatios.max * this.#expected) return;
    const beerFrom = this.#ticksBefore[this.#bins % this.#beerBins]!;
    this.#endedGasTicks += Math.max(0, beerFrom - this.#onset.ticks);
    this.#state = 'beer';
    this.#sum = 0;
  }

  #ratioSinceOnset(endMs: number): number {
    const { ms, edges } = this.#onset;
    return (this.#edges - edges) / (endMs - ms) / (this.#openRate.ticksPerS / 1_000);
  }

  #meanOfLast(bins: number): number {
    let sum = 0;
    const available = Math.min(bins, this.#bins);
    for (let i = 1; i <= available; i++) sum += this.#counts[(this.#bins - i) % this.#beerBins]!;
    return sum / bins;
  }
}

/** The gas in a finished pour, from its series; null for beer. */
export function findGas(pairs: readonly TickPair[], openRate: OpenRate): GasFinding | null {
  const detector = new GasDetector(openRate, seriesBinMs(pairs));
  for (const { ms, ticks } of pairs) detector.add(ms, ticks);
  // Ends the last bin.
  detector.add((pairs.at(-1)?.ms ?? 0) + seriesBinMs(pairs), 0);
  return detector.finding;
}

/** Bucket width of a series: 100 ms, doubled where a long pour has too many buckets. */
export function seriesBinMs(pairs: readonly TickPair[]): number {
  let binMs = Number.POSITIVE_INFINITY;
  for (let i = 1; i < pairs.length; i++) binMs = Math.min(binMs, pairs[i]!.ms - pairs[i - 1]!.ms);
  return Number.isFinite(binMs) ? Math.max(gasBinMs, binMs) : gasBinMs;
}
