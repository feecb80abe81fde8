/** Gaps between the first ticks of a pour that are kept to judge their rhythm, and the fewest that suffice. */
const keptGaps = 128;
const minGaps = 20;

/** A longer gap means that the wheel stood still; it is left out. */
const maxGapMs = 500;

/** A wheel with up to this many magnets repeats its unevenness once per turn. */
const maxMagnets = 4;

/**
 * Limit for the median change from one gap to the next, as a logarithm: below 0.3 for half of the gaps of a
 * turning wheel, 1.1 for random pulses (the median ratio of two exponential waiting times is 3).
 */
export const randomJump = 0.45;

/** The same for a pour, which must not be held because its time stamps are a little late: chance is far above it. */
const noiseJump = 0.5;

/** For edges of which the filter rejects some: bounce alternates between a short and a long gap. */
const evenJump = 0.3;
const minEvenGaps = 8;

/** Frequencies induced by the mains and by rectifiers, hertz. */
export const mainsHz = [50, 60, 100, 120] as const;
/** The mains keep their frequency to 0.1 %; no wheel does. */
export const mainsTolerance = 0.004;

/** All gaps of induced pulses agree with their mean within this; those of a wheel that starts do not. */
const mainsJitter = 0.01;

/** The gaps between the first ticks of one pour. */
export class EdgeRhythm {
  readonly #gaps = new Float64Array(keptGaps);
  #count = 0;
  /** Time from the first to the last tick since the last silence, and the longest so far. */
  #openMs = 0;
  #longestOpenMs = 0;
  readonly #leastOpenMs: number;

  /** `leastOpenMs`: a tap that pours the smallest drink is open for as long at least; 0 where that is not known. */
  constructor(leastOpenMs = 0) {
    this.#leastOpenMs = leastOpenMs;
  }

  /** Adds the gap before a tick, milliseconds. */
  add(gapMs: number): void {
    this.#openMs = gapMs > maxGapMs ? 0 : this.#openMs + Math.max(0, gapMs);
    this.#longestOpenMs = Math.max(this.#longestOpenMs, this.#openMs);
    if (this.#count < keptGaps && gapMs > 0 && gapMs <= maxGapMs) this.#gaps[this.#count++] = gapMs;
  }

  /** True for random pulses, those that follow the mains, and bursts that are shorter than any opening of a tap: no wheel turns like that. */
  get isNoise(): boolean {
    if (this.#longestOpenMs < this.#leastOpenMs) return true;
    const gaps = this.#gaps.subarray(0, this.#count);
    return gaps.length >= minGaps && (unevenness(gaps) > noiseJump || followsMains(gaps));
  }

  /** True for the rhythm of a wheel: even, but not of one frequency from the first gap on, as of a motor's converter. */
  get isWheel(): boolean {
    const gaps = this.#gaps.subarray(0, this.#count);
    return gaps.length >= minGaps && unevenness(gaps) <= randomJump && !keepsFrequency(gaps);
  }
}

/** Whether edges are evenly spaced, as those of a wheel that turns faster than the edge filter allows. */
export function areEvenlySpaced(stampsMonoMs: ArrayLike<number>): boolean {
  const gaps: number[] = [];
  for (let i = 1; i < stampsMonoMs.length; i++) {
    const gap = stampsMonoMs[i]! - stampsMonoMs[i - 1]!;
    if (gap > 0 && gap <= maxGapMs) gaps.push(gap);
  }
  return gaps.length >= minEvenGaps && medianJump(Float64Array.from(gaps, Math.log), 1) < evenJump;
}

/** Median change between gaps one turn apart, for the number of magnets that fits best. */
export function unevenness(gaps: ArrayLike<number>): number {
  const logs = Float64Array.from(gaps, Math.log);
  return Math.min(...Array.from({ length: maxMagnets }, (_, i) => medianJump(logs, i + 1)));
}

function medianJump(logs: Float64Array, turnGaps: number): number {
  const jumps = logs.subarray(turnGaps).map((log, at) => Math.abs(log - logs[at]!));
  jumps.sort();
  return jumps[Math.floor(jumps.length / 2)] ?? 0;
}

function followsMains(gaps: Float64Array): boolean {
  const mean = toMean(gaps);
  const isMainsHz = mainsHz.some((hz) => Math.abs((mean * hz) / 1_000 - 1) <= mainsTolerance);
  return isMainsHz && keepsFrequency(gaps);
}

function keepsFrequency(gaps: Float64Array): boolean {
  const mean = toMean(gaps);
  return gaps.every((gap) => Math.abs(gap / mean - 1) <= mainsJitter);
}

const toMean = (gaps: Float64Array): number => gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
