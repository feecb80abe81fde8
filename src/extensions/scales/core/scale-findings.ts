import type { KegDensity } from '../../../core/kegs/keg-density.ts';
import type { ScaleStep } from './keg-scale.ts';
import { toScaleVolume, uScaleGain } from './scale-beer.ts';

/** Kinds of disagreement between a scale and a meter. None of them changes a drink. */
export const scaleFindingKinds = [
  'ticks_missing', // the scale lost more beer than the meter counted: lost ticks, or another tap
  'keg_moved', // the weight changed without ticks
  'leak', // slow loss without pours: a leak before the meter
  'wrong_factor', // scale and meter differ by the same ratio in all pours
  'wrong_keg_size', // the keg held another volume when it was tapped
] as const;

export type ScaleFindingKind = (typeof scaleFindingKinds)[number];

/** Both figures of a finding; which of them are set depends on the kind. */
export interface ScaleFigures {
  /** By the scale: poured or lost volume, a day's loss of a leak, or what the keg holds, millilitres. */
  readonly scaleMl: number;
  /** By the meter or the keg's record, millilitres. */
  readonly meterMl: number;
  /** Standard uncertainty of their difference, millilitres. */
  readonly uMl: number;
  /** What the scale says as a multiple of what the meter says; null where it means nothing. */
  readonly ratio: number | null;
}

/** What one step says about the findings of a kind: `figures` open or renew it, null ends it. */
export interface FindingChange {
  readonly kind: ScaleFindingKind;
  readonly figures: ScaleFigures | null;
}

/** A difference beyond so many standard uncertainties is one. */
const certain = 3;
/** Pours that are remembered. */
const maxPours = 12;
/** Of the last few pours so many must differ: one in a thousand does by chance. */
const recentPours = 5;
const minMissing = 2;
/** A ratio needs so many pours. */
const minForRatio = 6;
/** A smaller deviation of the factor matters to nobody. */
const minDeviation = 0.015;
/** Short-term repeatability of meter and scale, as a share. */
const repeatability = 0.01;
/** A keg that was moved, grams. */
const movedG = 300;
/** Beer that runs without ticks: a glass to a large jug, grams. */
const minGlassG = 100;
const maxJugG = 2_500;
/** Such losses in a row: the meter does not count. */
const minUncounted = 3;
/** A leak, millilitres per day. */
export const leakMlPerDay = 500;

/** One comparison of scale and meter. */
export interface ComparedPour {
  readonly scaleMl: number;
  readonly meterMl: number;
  /** Standard uncertainties without those that are the same in all pours. */
  readonly uScaleMl: number;
  /** Of the meter as a whole. */
  readonly uMeterMl: number;
}

/** Judges what a scale sees of one keg. */
export class ScaleJudge {
  #pours: ComparedPour[] = [];
  #uncounted: number[] = [];

  /** `uMeterMl` gives the standard uncertainty of a volume that the meter counted. */
  step(
    step: ScaleStep,
    density: KegDensity,
    uMeterMl: (volumeMl: number) => number,
  ): readonly FindingChange[] {
    switch (step.kind) {
      case 'poured':
        return this.#judgePour(step, density, Math.hypot(uMeterMl(step.meterMl), step.uLinearMl));
      case 'changed':
        return this.#judgeChange(step.lossG, density);
      case 'quiet':
        return judgeLoss(step, density);
      default:
        return [];
    }
  }

  /** Losses without ticks had them, which came late. */
  forgetUncounted(): void {
    this.#uncounted = [];
  }

  /** Pours before say nothing about another factor. */
  reset(): void {
    this.#pours = [];
    this.#uncounted = [];
  }

  #judgePour(
    step: Extract<ScaleStep, { kind: 'poured' }>,
    density: KegDensity,
    uMeterMl: number,
  ): readonly FindingChange[] {
    const { lossG, uG, meterMl } = step;
    // The keg was moved while beer ran: nothing can be compared.
    if (lossG < -movedG || lossG / density.kgPerL - meterMl > maxJugG)
      return [{ kind: 'keg_moved', figures: toFigures(lossG / density.kgPerL, meterMl, uG) }];
    this.#uncounted = [];
    if (!step.isComparable) return [];
    const { volumeMl: scaleMl } = toScaleVolume(lossG, uG, density);
    this.#pours.push({ scaleMl, meterMl, uScaleMl: uG / density.kgPerL, uMeterMl });
    if (this.#pours.length > maxPours) this.#pours.shift();
    const ratio = findRatio(this.#pours, density);
    return [this.#judgeRatio(ratio), this.#judgeMissing(ratio, density)].flatMap((one) => one ?? []);
  }

  #judgeRatio(found: ReturnType<typeof findRatio>): FindingChange | null {
    if (this.#pours.length < minForRatio || !found.isSteady) return null;
    const { ratio, u } = found;
    const deviation = Math.abs(ratio - 1);
    if (deviation <= minDeviation / 2) return { kind: 'wrong_factor', figures: null };
    if (deviation < Math.max(minDeviation, certain * u)) return null;
    const figures = { ...toFigures(found.scaleMl, found.meterMl, u * found.meterMl), ratio };
    return { kind: 'wrong_factor', figures };
  }

  #judgeMissing(ratio: ReturnType<typeof findRatio>, density: KegDensity): FindingChange | null {
    // What is the same in all pours: a share of each. The rest of a pour's uncertainty is its own.
    const uShare = Math.hypot(density.uKgPerL / density.kgPerL, uScaleGain);
    // A wrong factor makes all pours differ alike.
    if (ratio.isSteady && this.#pours.length >= 2) {
      return this.#pours.length >= recentPours ? { kind: 'ticks_missing', figures: null } : null;
    }
    const recent = this.#pours.slice(-recentPours);
    const missing = recent.filter((pour) => {
      const u = Math.hypot(pour.uScaleMl, pour.uMeterMl, pour.scaleMl * uShare);
      return pour.scaleMl - pour.meterMl > certain * u;
    });
    if (missing.length === 0) return { kind: 'ticks_missing', figures: null };
    if (missing.length < minMissing) return null;
    const sum = (of: (pour: ComparedPour) => number) => missing.reduce((all, pour) => all + of(pour), 0);
    const figures = toFigures(
      sum(({ scaleMl }) => scaleMl),
      sum(({ meterMl }) => meterMl),
      Math.hypot(...missing.map(({ uScaleMl, uMeterMl }) => Math.hypot(uScaleMl, uMeterMl))),
    );
    return { kind: 'ticks_missing', figures };
  }

  #judgeChange(lossG: number, density: KegDensity): readonly FindingChange[] {
    const lossMl = lossG / density.kgPerL;
    const isGlass = lossG >= minGlassG && lossG <= maxJugG;
    this.#uncounted = isGlass ? [...this.#uncounted, lossMl].slice(-maxPours) : [];
    const changes: FindingChange[] = [];
    if (Math.abs(lossG) > movedG) changes.push({ kind: 'keg_moved', figures: toFigures(lossMl, 0, 10) });
    if (this.#uncounted.length >= minUncounted) {
      const sumMl = this.#uncounted.reduce((all, ml) => all + ml, 0);
      changes.push({ kind: 'ticks_missing', figures: toFigures(sumMl, 0, 10 * this.#uncounted.length) });
      // They were glasses: the keg stands where it stood.
      changes.push({ kind: 'keg_moved', figures: null });
    }
    return changes;
  }
}

/** What a keg holds by its weight, compared with its record. Null when they are too close to say. */
export function judgeKegSize(
  scale: { readonly volumeMl: number; readonly uMl: number },
  record: { readonly volumeMl: number; readonly uMl: number },
): FindingChange | null {
  const u = Math.hypot(scale.uMl, record.uMl);
  const difference = Math.abs(scale.volumeMl - record.volumeMl);
  if (difference < u * (certain - 1)) return { kind: 'wrong_keg_size', figures: null };
  if (difference <= u * certain) return null;
  return { kind: 'wrong_keg_size', figures: toFigures(scale.volumeMl, record.volumeMl, u) };
}

function judgeLoss(
  { lossGPerDay, uGPerDay }: Extract<ScaleStep, { kind: 'quiet' }>,
  { kgPerL }: KegDensity,
): readonly FindingChange[] {
  const mlPerDay = lossGPerDay / kgPerL;
  if (mlPerDay < leakMlPerDay / 2) return [{ kind: 'leak', figures: null }];
  if (mlPerDay <= leakMlPerDay || lossGPerDay <= certain * uGPerDay) return [];
  return [{ kind: 'leak', figures: toFigures(mlPerDay, 0, uGPerDay / kgPerL) }];
}

/** The common ratio of scale to meter, and whether all pours follow it. */
function findRatio(pours: readonly ComparedPour[], density: KegDensity) {
  const scaleMl = pours.reduce((sum, pour) => sum + pour.scaleMl, 0);
  const meterMl = pours.reduce((sum, pour) => sum + pour.meterMl, 0);
  const ratio = scaleMl / meterMl;
  const isSteady = pours.every((pour) => {
    const u = Math.hypot(pour.uScaleMl, 2, repeatability * pour.scaleMl);
    return Math.abs(pour.scaleMl - ratio * pour.meterMl) <= certain * u;
  });
  const random = Math.hypot(...pours.map((pour) => Math.hypot(pour.uScaleMl, repeatability * pour.scaleMl)));
  const u = Math.hypot(random / meterMl, density.uKgPerL / density.kgPerL, 0.005);
  return { ratio, u, isSteady, scaleMl, meterMl };
}

const toFigures = (scaleMl: number, meterMl: number, uMl: number): ScaleFigures => ({
  scaleMl,
  meterMl,
  uMl,
  ratio: null,
});
