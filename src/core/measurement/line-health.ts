import type { EveningFlow } from './evening-flow.ts';
import { median, quantile } from './pour-flow.ts';

/** What may be wrong with the line of a tap. */
export const lineFindings = [
  'low_pressure', // all taps flow less than usual
  'blocked_line', // this tap alone flows less: its line, its valve, or the pressure of its keg
  'warm_beer', // warmer than usual, with less flow or more foam
  'slow_valve', // the flow begins late
  'sticking_meter', // the wheel stops for moments
] as const;
export type LineFinding = (typeof lineFindings)[number];

/** Evenings in a row that must differ, and those before them that make the usual figures. */
const judgedEvenings = 2;
const minUsualEvenings = 5;

/**
 * Flow below this share of the usual one is low. From one evening to the next it differs by up to 10 %; the lowest ordinary
 * evening is at 0.84 of the usual figure.
 */
const lowRatio = 0.75;
/** Of a keg that is nearly empty, where the pressure is not regulated the flow falls by a third. */
const nearlyEmptyRatio = 0.6;
const nearlyEmptyShare = 0.3;
/** All taps together rarely flow less by chance: one low tap and this ratio at each other one is low pressure. */
const sharedLowRatio = 0.82;

/** The beer of a cold room stays within 2 °C. Above it carbon dioxide comes out, which shows as foam or as less flow. */
const warmRiseC = 3;
const warmRatio = 0.9;
const foamyShare = 0.3;
const foamyFactor = 2;

/**
 * A valve needs 0.1 to 0.3 s to open and loses half of it. One that needs 1.2 s loses 0.6 s, of which a meter that stands still
 * at low flow shows half.
 */
const slowRiseMs = 200;
const slowFactor = 2;

/** Stops per minute of flow. A free wheel makes none; a hand that stops for a moment makes a few. */
const stickingDips = 6;
const stickingFactor = 3;

/** The usual figures of a tap: those of a good evening of the last weeks. */
export interface UsualFlow {
  readonly evenings: number;
  readonly rateMlPerS: number;
  readonly ticksPerS: number;
  readonly riseMs: number | null;
  readonly dipsPerMin: number | null;
  readonly foamyShare: number;
  readonly tempC: number | null;
  /** Rate of a nearly empty keg as a share of the rate before; null while too few evenings tell. */
  readonly nearlyEmptyRatio: number | null;
  /** Change of the rate per °C, as a share; null while too few evenings tell. */
  readonly ratePerDegree: number | null;
}

/** Flow of one tap, oldest evening first. */
export interface TapFlow {
  readonly tapId: number;
  readonly evenings: readonly EveningFlow[];
}

/** What was found at one tap. */
export interface TapHealth extends TapFlow {
  /** Null before five evenings. */
  readonly usual: UsualFlow | null;
  readonly findings: readonly FoundAtTap[];
}

interface FoundAtTap {
  readonly kind: LineFinding;
  /** The first of the evenings on which it was seen. */
  readonly sinceDate: string;
}

/**
 * Judges all taps of a bar by their last two evenings, each compared with the tap's usual flow. All taps are judged at once,
 * because low pressure of the gas is told from a blocked line by the others.
 */
export function judgeLines(taps: readonly TapFlow[]): readonly TapHealth[] {
  const compared = taps.map((tap) => ({ tap, ...compare(tap.evenings) }));
  return compared.map(({ tap, usual, last }) => {
    const dates = new Set(last.map(({ evening }) => evening.date));
    const others = compared.flatMap((one) => {
      const { usual: usualOfOther } = one;
      if (one.tap === tap || usualOfOther === null) return [];
      const same = one.tap.evenings.filter(({ date }) => dates.has(date));
      return same.map((evening) => toComparison(evening, usualOfOther));
    });
    const areOthersLow = others.length > 0 && others.every(({ ratio }) => ratio <= sharedLowRatio);
    const kinds = last.length === 0 ? [] : findKinds(last, areOthersLow);
    return { ...tap, usual, findings: kinds.map((kind) => ({ kind, sinceDate: last[0]!.evening.date })) };
  });
}

/** One evening beside what is usual at this tap. */
interface Comparison {
  readonly evening: EveningFlow;
  readonly usual: UsualFlow;
  /**
   * Rate as a share of what is usual at this fill of the keg: the higher of that in millilitres and that in ticks. A new factor
   * changes the millilitres only, another meter the ticks only; less beer lowers both.
   */
  readonly ratio: number;
}

/** The last evenings, compared with those before; none while there are too few. */
function compare(evenings: readonly EveningFlow[]): { usual: UsualFlow | null; last: readonly Comparison[] } {
  const usual = toUsual(evenings.slice(0, -judgedEvenings));
  if (usual === null) return { usual: toUsual(evenings), last: [] };
  return { usual, last: evenings.slice(-judgedEvenings).map((evening) => toComparison(evening, usual)) };
}

function toComparison(evening: EveningFlow, usual: UsualFlow): Comparison {
  const share = isNearlyEmpty(evening) ? Math.min(1, usual.nearlyEmptyRatio ?? 1) : 1;
  const ratio = Math.max(evening.rateMlPerS / usual.rateMlPerS, evening.ticksPerS / usual.ticksPerS);
  return { evening, usual, ratio: ratio / share };
}

function findKinds(last: readonly Comparison[], areOthersLow: boolean): LineFinding[] {
  const kinds: LineFinding[] = [];
  if (isWarmBeer(last)) kinds.push('warm_beer');
  // Warm beer explains its lower flow.
  else if (last.every(isLow)) kinds.push(areOthersLow ? 'low_pressure' : 'blocked_line');
  if (last.every(({ evening, usual }) => isAbove(evening.riseMs, usual.riseMs, slowRiseMs, slowFactor)))
    kinds.push('slow_valve');
  if (last.every(isSticking)) kinds.push('sticking_meter');
  return kinds;
}

const isLow = ({ evening, usual, ratio }: Comparison): boolean =>
  ratio < (isNearlyEmpty(evening) && usual.nearlyEmptyRatio === null ? nearlyEmptyRatio : lowRatio);

const isNearlyEmpty = ({ kegLeft }: EveningFlow): boolean => kegLeft !== null && kegLeft < nearlyEmptyShare;

function isWarmBeer(last: readonly Comparison[]): boolean {
  const isWarm = last.every(
    ({ evening, usual }) =>
      evening.tempC !== null && usual.tempC !== null && evening.tempC - usual.tempC >= warmRiseC,
  );
  return isWarm && (last.every(({ ratio }) => ratio <= warmRatio) || isFoamy(last));
}

/** Over both evenings together: on a quiet one a few pours decide. */
function isFoamy(last: readonly Comparison[]): boolean {
  const clean = last.reduce((sum, { evening }) => sum + evening.pours, 0);
  const all = last.reduce((sum, { evening }) => sum + evening.pours / (1 - evening.foamyShare), 0);
  const share = 1 - clean / all;
  return share >= foamyShare && share >= foamyFactor * last[0]!.usual.foamyShare;
}

/** Above the usual value by a difference and a factor. */
const isAbove = (value: number | null, usual: number | null, by: number, factor: number): boolean =>
  value !== null && usual !== null && value >= usual + by && value >= usual * factor;

const isSticking = ({ evening, usual }: Comparison): boolean =>
  evening.dipsPerMin !== null &&
  evening.dipsPerMin >= stickingDips &&
  evening.dipsPerMin >= stickingFactor * (usual.dipsPerMin ?? 0);

/**
 * The usual figures are those of the better quarter of the evenings, so that a fault of some weeks does not become usual.
 * Temperatures vary both ways: their median.
 */
function toUsual(evenings: readonly EveningFlow[]): UsualFlow | null {
  if (evenings.length < minUsualEvenings) return null;
  const values = (key: 'riseMs' | 'dipsPerMin' | 'tempC') =>
    evenings.flatMap((evening) => evening[key] ?? []);
  const atFill = (isEmpty: boolean, key: 'rateMlPerS' | 'ticksPerS' = 'rateMlPerS') =>
    evenings.filter((evening) => isNearlyEmpty(evening) === isEmpty).map((evening) => evening[key]);
  const temps = values('tempC');
  return {
    evenings: evenings.length,
    rateMlPerS: quantile(atFill(false), 0.75) ?? quantile(atFill(true), 0.75)!,
    ticksPerS: quantile(atFill(false, 'ticksPerS'), 0.75) ?? quantile(atFill(true, 'ticksPerS'), 0.75)!,
    riseMs: quantile(values('riseMs'), 0.25),
    dipsPerMin: quantile(values('dipsPerMin'), 0.25),
    foamyShare: median(evenings.map((evening) => evening.foamyShare)),
    tempC: temps.length === 0 ? null : median(temps),
    nearlyEmptyRatio: toNearlyEmptyRatio(atFill(true), atFill(false)),
    ratePerDegree: toRatePerDegree(evenings),
  };
}

/** From three evenings on either side. */
const toNearlyEmptyRatio = (empty: readonly number[], full: readonly number[]): number | null =>
  empty.length < 3 || full.length < 3 ? null : median(empty) / median(full);

/** Median slope of all pairs of evenings at least 1 °C apart (Theil and Sen), from ten pairs. */
function toRatePerDegree(evenings: readonly EveningFlow[]): number | null {
  const slopes: number[] = [];
  for (const [i, a] of evenings.entries()) {
    for (const b of evenings.slice(i + 1)) {
      if (a.tempC === null || b.tempC === null || Math.abs(a.tempC - b.tempC) < 1) continue;
      slopes.push((b.rateMlPerS - a.rateMlPerS) / (b.tempC - a.tempC));
    }
  }
  return slopes.length < 10 ? null : median(slopes) / median(evenings.map(({ rateMlPerS }) => rateMlPerS));
}
