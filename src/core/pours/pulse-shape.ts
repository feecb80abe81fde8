import { mainsHz, mainsTolerance, randomJump, unevenness } from '../measurement/edge-rhythm.ts';
import { createEdgeFilter } from './edge-filter.ts';
import { findDoubts } from './pour-judgement.ts';

/** With fewer gaps than this the regularity cannot be judged. */
const minGaps = 20;

/** A longer gap means that the wheel has stopped between two pours; it is left out. */
const maxGapMs = 500;

/** Two GPIO lines that see one event are stamped in the same or the next interrupt. */
const echoMs = 0.2;
const minEchoes = 10;
const echoShare = 0.7;

/** Pattern of the edges of one GPIO line. */
export type PulseShape =
  | 'quiet' // none
  | 'few' // too few to judge
  | 'steady' // a turning wheel
  | 'bounce' // many closer together than the wheel can produce
  | 'stray'; // irregular

/** Classifies the edges of one GPIO line, stamps ascending, milliseconds. */
export function pulseShape(
  stampsMonoMs: ArrayLike<number>,
  limits: { readonly minGapMs: number; readonly noiseShare: number },
): PulseShape {
  if (stampsMonoMs.length === 0) return 'quiet';
  const filter = createEdgeFilter(limits);
  const ticks = filter.accept(stampsMonoMs);
  const train = {
    ticks: ticks.length,
    rejectedEdges: filter.rejected,
    reachedMaxDuration: false,
    simultaneous: false,
  };
  if (findDoubts({ ...train, noiseShare: limits.noiseShare }).includes('electrical_noise')) return 'bounce';
  const gaps = toGaps(ticks);
  if (gaps.length < minGaps) return 'few';
  return unevenness(gaps) > randomJump ? 'stray' : 'steady';
}

/** The mains frequency, hertz, that these edges follow exactly; null when they follow none. */
export function findMainsHz(stampsMonoMs: ArrayLike<number>): number | null {
  const gaps = toGaps(stampsMonoMs);
  if (gaps.length < minGaps) return null;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const hz = mainsHz.find((one) => Math.abs((mean * one) / 1_000 - 1) <= mainsTolerance);
  return hz !== undefined && gaps.every((gap) => Math.abs(gap / mean - 1) <= 0.05) ? hz : null;
}

/** Whether the edges of one GPIO line are crosstalk from another; both ascending, milliseconds. */
export function isEcho(some: ArrayLike<number>, others: ArrayLike<number>): boolean {
  if (some.length < minEchoes || others.length < some.length) return false;
  let together = 0;
  for (let i = 0, k = firstFrom(others, some[0]! - echoMs); i < some.length; i++) {
    while (k < others.length && others[k]! < some[i]! - echoMs) k++;
    if (k < others.length && others[k]! <= some[i]! + echoMs) together++;
  }
  return together / some.length >= echoShare;
}

/** Edges per second, counted over the last second before `untilMonoMs`. */
export function pulseHz(stampsMonoMs: ArrayLike<number>, untilMonoMs: number): number {
  let count = 0;
  for (let i = stampsMonoMs.length - 1; i >= 0 && stampsMonoMs[i]! > untilMonoMs - 1_000; i--) count++;
  return count;
}

/** Index of the first stamp not before `monoMs`. */
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
