import { type TempCoefficient, unknownCoefficient } from './scale-drift.ts';
import { uDifferenceG, type WeightLevel, WeightLevels, type WeightReading } from './scale-level.ts';
import { type QuietLoss, QuietTime } from './scale-quiet.ts';

/** What the tap's meter has counted by the time of a reading. */
export interface MeterState {
  /** Every tick ever counted, with drips, spills and held pours: the scale weighs them too. */
  readonly ticks: number;
  readonly ticksPerMl: number;
  /** Beer runs now: its ticks are not counted yet. */
  readonly isPouring: boolean;
  /** Those of the ticks that were measured by the meter's curve; absent for a meter without one. */
  readonly byCurve?: CurveTicks;
}

/** Ticks whose volume was computed by the rate at which they fell, since some time. */
export interface CurveTicks {
  readonly ticks: number;
  readonly volumeMl: number;
  /** Uncertainty of the volume by rates outside of the curve's points, millilitres. */
  readonly uLinearMl: number;
}

/** What a scale saw. */
export type ScaleStep =
  /** Beer ran between two stable weights. */
  | {
      readonly kind: 'poured';
      readonly lossG: number;
      /** Standard uncertainty of the loss, grams. */
      readonly uG: number;
      readonly meterMl: number;
      /** Of the meter's volume, by rates outside of its curve, millilitres. */
      readonly uLinearMl: number;
      /** False where the meter has a curve and the rates of too many ticks are not known. */
      readonly isComparable: boolean;
    }
  /** The weight changed without a tick; positive when it fell. */
  | { readonly kind: 'changed'; readonly lossG: number }
  /** Nobody has poured for hours. */
  | ({ readonly kind: 'quiet' } & QuietLoss)
  /** A night without a pour taught how the scale follows the temperature. */
  | { readonly kind: 'coefficient'; readonly coefficient: TempCoefficient };

type CountedVolume = Pick<Extract<ScaleStep, { kind: 'poured' }>, 'meterMl' | 'uLinearMl' | 'isComparable'>;

export const noCurveTicks: CurveTicks = { ticks: 0, volumeMl: 0, uLinearMl: 0 };

/** After beer ran, the hose and the keg come to rest, and the meter's ticks are stored, milliseconds. */
const restMs = 20_000;
/** A change without ticks must last: a slow sensor may see a pour before its ticks are stored, milliseconds. */
const changeLastsMs = 60_000;
/** Smaller changes without ticks are drift and noise, grams. */
const minChangeG = 100;
/** Less is no pour: drips, millilitres. */
const minPouredMl = 20;
/** Beer that ran within this time is compared as one pour; later the drift is no longer small, milliseconds. */
const maxCompareMs = 30 * 60_000;
/** A meter with a curve is compared when the rates of this share of its ticks are known: drips and spills have none. */
const minCurveShare = 0.95;

/**
 * Follows the scale below one keg, reading by reading. Weights are compared before and after beer ran, so that slow drift
 * cancels.
 */
export class KegScale {
  readonly #levels = new WeightLevels();
  readonly #quiet: QuietTime;
  #before: WeightLevel | null = null;
  #ticks = 0;
  #byCurve: CurveTicks = noCurveTicks;
  #ticksPerMl: number | null = null;
  #activeMonoMs = Number.NEGATIVE_INFINITY;
  #lastTicks: number | null = null;
  #changedSinceMs: number | null = null;
  #level: WeightLevel | null = null;

  constructor(coefficient: TempCoefficient = unknownCoefficient) {
    this.#quiet = new QuietTime(coefficient);
  }

  /** The last stable weight; null before the first one. */
  get level(): WeightLevel | null {
    return this.#level;
  }

  /** Another keg is on the scale, or the meter is another: what was seen before says nothing. */
  reset(): void {
    this.#levels.clear();
    this.#before = null;
    this.#level = null;
    this.#changedSinceMs = null;
    this.#quiet.restart();
  }

  /** `meter` is null for a tap without one: then only the weight is known. */
  step(reading: WeightReading, meter: MeterState | null): readonly ScaleStep[] {
    if (meter !== null && meter.ticksPerMl !== this.#ticksPerMl) {
      this.#before = null;
      this.#ticksPerMl = meter.ticksPerMl;
    }
    const hasCounted = meter !== null && this.#lastTicks !== null && meter.ticks !== this.#lastTicks;
    this.#lastTicks = meter?.ticks ?? null;
    if (hasCounted || meter?.isPouring === true) {
      this.#activeMonoMs = reading.monoMs;
      this.#levels.clear();
    }
    if (reading.monoMs - this.#activeMonoMs < restMs) return [];
    const level = this.#levels.add(reading);
    if (level === null) return [];
    this.#level = level;
    if (meter === null) return [];
    if (this.#before === null) return this.#take(level, meter);
    const counted = this.#countedSince(meter);
    if (counted.meterMl >= minPouredMl) return this.#compare(this.#before, level, meter, counted);
    return this.#watch(this.#before, level, meter);
  }

  #compare(
    before: WeightLevel,
    level: WeightLevel,
    meter: MeterState,
    counted: CountedVolume,
  ): readonly ScaleStep[] {
    const lossG = this.#loss(before, level);
    const steps = this.#endQuiet();
    this.#take(level, meter);
    if (level.monoMs - before.monoMs > maxCompareMs) return steps;
    return [...steps, { kind: 'poured', lossG, uG: uDifferenceG, ...counted }];
  }

  #watch(before: WeightLevel, level: WeightLevel, meter: MeterState): readonly ScaleStep[] {
    const lossG = this.#loss(before, level);
    if (Math.abs(lossG) < minChangeG) {
      // A drip is no pour, however many there are in a night.
      this.#take(level, meter);
      const loss = this.#quiet.add(level);
      return loss === null ? [] : [{ kind: 'quiet', ...loss }];
    }
    this.#changedSinceMs ??= level.sinceMonoMs;
    if (level.monoMs - this.#changedSinceMs < changeLastsMs) return [];
    const steps = this.#endQuiet();
    this.#take(level, meter);
    return [...steps, { kind: 'changed', lossG }];
  }

  /** Loss of weight that the temperature does not explain, grams. */
  #loss(before: WeightLevel, after: WeightLevel): number {
    const riseK = before.tempC === null || after.tempC === null ? 0 : after.tempC - before.tempC;
    return before.weightG - after.weightG + this.#quiet.coefficient.gPerK * riseK;
  }

  /** What the meter counted since the weight before: by its curve, and the rest by its one factor. */
  #countedSince({ ticks, ticksPerMl, byCurve }: MeterState): CountedVolume {
    const all = ticks - this.#ticks;
    if (byCurve === undefined) return { meterMl: all / ticksPerMl, uLinearMl: 0, isComparable: true };
    const known = byCurve.ticks - this.#byCurve.ticks;
    return {
      meterMl: byCurve.volumeMl - this.#byCurve.volumeMl + (all - known) / ticksPerMl,
      uLinearMl: byCurve.uLinearMl - this.#byCurve.uLinearMl,
      isComparable: known >= minCurveShare * all,
    };
  }

  #take(level: WeightLevel, { ticks, byCurve }: MeterState): readonly ScaleStep[] {
    this.#before = level;
    this.#ticks = ticks;
    this.#byCurve = byCurve ?? noCurveTicks;
    this.#changedSinceMs = null;
    return [];
  }

  #endQuiet(): readonly ScaleStep[] {
    const coefficient = this.#quiet.restart();
    return coefficient === null ? [] : [{ kind: 'coefficient', coefficient }];
  }
}
