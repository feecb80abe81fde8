import { createEdgeFilter } from './edge-filter.ts';
import { findDoubts } from './pour-judgement.ts';

/** Fewer gaps than this between pulses have no rhythm to judge. */
const minGaps = 20;

/** A wheel that turns slower than this has stopped between two glasses; the gap is nobody's rhythm. */
const maxGapMs = 500;

/** Wheels with up to so many magnets repeat their unevenness once a turn. */
const maxMagnets = 4;

/**
 * How much longer or shorter the next gap may be, as a logarithm: in half of the gaps of a turning wheel it is below
 * 0.3, in those of stray pulses 1.1 (the median of the ratio of two waits for something that remembers nothing is 3).
 */
const strayJump = 0.45;

/** What the mains and rectifiers induce, hertz. */
const mainsHz = [50, 60, 100, 120] as const;
/** The mains keep their frequency to a thousandth; no wheel does. */
const mainsTolerance = 0.004;

/** Two lines that see one event are stamped by one interrupt or the next. */
const echoMs = 0.2;
const minEchoes = 10;
const echoShare = 0.7;

/** How the edges of one line look. */
export type PulseShape =
  | 'quiet' // none
  | 'few' // too few to say
  | 'steady' // a wheel that turns
  | 'bounce' // many closer together than the wheel can make them
  | 'stray'; // in no rhythm at all

/** Judges edges of one line, their stamps ascending, milliseconds. */
export function pulseShape(
  stampsMonoMs: ArrayLike<number>,
  limits: { readonly minGapMs: number; readonly noiseShare: number },
): PulseShape {
  if (stampsMonoMs.length === 0) return 'quiet';
  const filter = createEdgeFilter(limits);
  const ticks = filter.accept(stampsMonoMs);
  const train = { ticks: ticks.length, rejectedEdges: filter.rejected, ranOut: false, simultaneous: false };
  if (findDoubts({ ...train, noiseShare: limits.noiseShare }).includes('electrical_noise')) return 'bounce';
  const gaps = toGaps(ticks);
  if (gaps.length < minGaps) return 'few';
  return unevenness(gaps) > strayJump ? 'stray' : 'steady';
}

/** The mains frequency, hertz, that these edges keep exactly; null when they keep none. */
export function findMainsHz(stampsMonoMs: ArrayLike<number>): number | null {
  const gaps = toGaps(stampsMonoMs);
  if (gaps.length < minGaps) return null;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const hz = mainsHz.find((one) => Math.abs((mean * one) / 1_000 - 1) <= mainsTolerance);
  return hz !== undefined && gaps.every((gap) => Math.abs(gap / mean - 1) <= 0.05) ? hz : null;
}

/** Whether the edges of one line are those of another, heard through the cable; both ascending, milliseconds. */
export function isEcho(some: ArrayLike<number>, others: ArrayLike<number>): boolean {
  if (some.length < minEchoes || others.length < some.length) return false;
  let together = 0;
  for (let i = 0, k = firstFrom(others, some[0]! - echoMs); i < some.length; i++) {
    while (k < others.length && others[k]! < some[i]! - echoMs) k++;
    if (k < others.length && others[k]! <= some[i]! + echoMs) together++;
  }
  return together / some.length >= echoShare;
}

/** Edges a second, counted over the last second before `untilMonoMs`. */
export function pulseHz(stampsMonoMs: ArrayLike<number>, untilMonoMs: number): number {
  let count = 0;
  for (let i = stampsMonoMs.length - 1; i >= 0 && stampsMonoMs[i]! > untilMonoMs - 1_000; i--) count++;
  return count;
}

/** Index of the first stamp that is not before `monoMs`. */
function firstFrom(stamps: ArrayLike<number>, monoMs: number): number {
  let [low, high] = [0, stamps.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (stamps[middle]! < monoMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toGaps(stampsMonoMs: ArrayLike<number>): number[] {
  const gaps: number[] = [];
  for (let i = 1; i < stampsMonoMs.length; i++) {
    const gap = stampsMonoMs[i]! - stampsMonoMs[i - 1]!;
    if (gap > 0 && gap <= maxGapMs) gaps.push(gap);
  }
  return gaps;
}

/** How far a gap differs from the one a turn before, by the number of magnets that explains it best. */
function unevenness(gaps: readonly number[]): number {
  const logs = Float64Array.from(gaps, Math.log);
  const jumps = Array.from({ length: maxMagnets }, (_, i) => {
    const apart = i + 1;
    return median(logs.subarray(apart).map((log, at) => Math.abs(log - logs[at]!)));
  });
  return Math.min(...jumps);
}

function median(values: Float64Array): number {
  values.sort();
  return values[Math.floor(values.length / 2)] ?? 0;
}
