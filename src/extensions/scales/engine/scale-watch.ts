import type { Moment } from '../../../core/clock/moment.ts';
import type { KegDensity, MeasuredVolume } from '../../../core/kegs/keg-density.ts';
import { pourStarts } from '../../../core/measurement/pour-starts.ts';
import { isByCurve, pourVolume } from '../../../core/measurement/pour-volume.ts';
import { coverage, pourUncertainty, uFrictionMl } from '../../../core/measurement/uncertainty.ts';
import type { Drink, FlowMeter, Keg } from '../../../core/records.ts';
import type { Uncertainties } from '../../../engine/drinks/uncertainties.ts';
import { unknownMeter } from '../../../engine/kegs/keg-remainder.ts';
import { findKegDensity } from '../../../engine/kegs/keg-weight.ts';
import { toMeterUncertainty } from '../../../engine/kegs/meter-uncertainty.ts';
import type { TapRecord } from '../../../store/taps/taps-table.ts';
import { KegScale, noCurveTicks, type ScaleStep } from '../core/keg-scale.ts';
import type { Scale, ScaleFinding } from '../core/records.ts';
import { toScaleRemainder } from '../core/scale-beer.ts';
import { type FindingChange, judgeKegSize, ScaleJudge, scaleFindingKinds } from '../core/scale-findings.ts';
import type { ScaleDatabase } from '../store/scales-store.ts';
import { ScaleLearning } from './scale-learning.ts';

/** A keg is put on the scale within this time before or after it is noted, milliseconds. */
const kegChangeMs = 30 * 60_000;
/** Later the sum of what was poured is too uncertain to judge the size of the keg, as a share of it. */
const maxServedShare = 0.25;
/** An open finding gets new figures at most so often, milliseconds. */
const renewMs = 10 * 60_000;
/** After the last sign of flow, milliseconds: its ticks are stored when the pour has ended. */
const flowMs = 15_000;
/** A finding that staff closed does not come back within this time, milliseconds. */
const closedMs = 24 * 3_600_000;
/** The size of a keg is judged at most so often, since it reads what was poured from it, milliseconds. */
const sizeEveryMs = 30_000;

interface WatchParts {
  readonly store: ScaleDatabase;
  readonly uncertainties: Uncertainties;
}

/** A reading with the time at which it was taken. */
export interface TakenReading {
  readonly weightG: number;
  readonly tempC: number | null;
  readonly at: Moment;
}

/** Follows one scale and notes where it disagrees with the meter; all but the findings is in memory only. */
export class ScaleWatch {
  readonly #parts: WatchParts;
  readonly #scaleId: number;
  readonly #scale: KegScale;
  readonly #judge = new ScaleJudge();
  readonly #learning: ScaleLearning;
  #kegId: number | null | undefined;
  #meter: { readonly id: number | null; readonly key: string } | undefined;
  #source: string | undefined;
  /** Since this scale is followed. */
  #byCurve = noCurveTicks;
  #sizeKey: string | undefined;
  #sizeMonoMs = Number.NEGATIVE_INFINITY;

  constructor(parts: WatchParts, { id, coefficient }: Scale) {
    this.#parts = parts;
    this.#scaleId = id;
    this.#scale = new KegScale(coefficient);
    this.#learning = new ScaleLearning(parts.store);
  }

  /** Processes a reading; returns whether something was written. `flowMonoMs` is the last sign of flow at the tap. */
  step(scale: Scale, { weightG, tempC, at }: TakenReading, flowMonoMs: number | undefined): boolean {
    const { store } = this.#parts;
    const tap = scale.tapId === null ? null : store.taps.byId(scale.tapId);
    const keg = tap === null ? null : findScaledKeg(store, tap);
    const meter = tap === null || keg === null ? null : store.taps.meters.byTap(tap.id);
    const hasEnded = this.#follow(scale, keg, meter, at);
    const isPouring = flowMonoMs !== undefined && at.monoMs - flowMonoMs < flowMs;
    const steps = this.#scale.step(
      { weightG, tempC, monoMs: at.monoMs },
      meter && {
        ticks: meter.ticksTotal,
        ticksPerMl: meter.ticksPerMl,
        isPouring,
        ...(meter.curve === null ? {} : { byCurve: this.#byCurve }),
      },
    );
    const hasLearned = keg !== null && meter !== null && this.#learn(steps, keg, meter, at);
    const density = findKegDensity(store, keg);
    const changes =
      keg === null
        ? []
        : [
            ...steps.flatMap((step) => this.#judgeStep(step, density, keg, meter, at)),
            ...this.#judgeSize(scale, keg, density, at),
          ];
    const [learned] = steps.flatMap((step) => (step.kind === 'coefficient' ? [step.coefficient] : []));
    if (learned === undefined && changes.length === 0) return hasEnded || hasLearned;
    const open = new Map(store.scaleFindings.open(scale.id).map((one) => [one.kind, one]));
    const writes = changes.filter((change) =>
      this.#isNew(change, open.get(change.kind), { kegId: keg!.id, at }),
    );
    if (learned === undefined && writes.length === 0) return hasEnded || hasLearned;
    store.recording(() => {
      if (learned !== undefined) store.scales.setCoefficient(scale.id, learned);
      for (const change of writes) this.#write(change, keg!.id, at);
    });
    return writes.length > 0 || hasEnded || hasLearned;
  }

  /** Collects pours as evidence for the factor; a meter with a curve has several. */
  #learn(steps: readonly ScaleStep[], keg: Keg, meter: FlowMeter, at: Moment): boolean {
    if (meter.curve !== null) return false;
    const pair = { scaleId: this.#scaleId, kegId: keg.id, meterId: meter.id };
    return steps
      .filter((step) => step.kind === 'poured')
      .map(({ meterMl, lossG, uG }) =>
        this.#learning.add({ ticks: meterMl * meter.ticksPerMl, lossG, uG }, pair, at),
      )
      .some(Boolean);
  }

  /** A pour was recorded whose ticks have rates: by a curve its volume is another than that of the one factor. */
  addPour(meter: FlowMeter, drink: Drink): void {
    if (!isByCurve(meter, drink)) return;
    const volumeMl = pourVolume(meter, { ...drink, gasTicks: 0 });
    const known = toMeterUncertainty(this.#parts.store, meter, drink.pourTimeMs);
    const uLinearOfPour = uFrictionMl({ ...known, pours: 1, volumeMl, starts: pourStarts(drink) });
    const { ticks, volumeMl: beforeMl, uLinearMl } = this.#byCurve;
    this.#byCurve = {
      ticks: ticks + drink.ticks,
      volumeMl: beforeMl + volumeMl,
      uLinearMl: uLinearMl + uLinearOfPour,
    };
  }

  /** Ticks of a pour are stored late: weights since then are without its beer, and cannot be compared with them. */
  restartIfLater(endedMonoMs: number): void {
    if (this.#scale.level === null || this.#scale.level.monoMs <= endedMonoMs + flowMs) return;
    this.#scale.reset();
    this.#judge.forgetUncounted();
  }

  /** Starts anew with another keg, meter or source of weights; findings about the keg or the factor before end. */
  #follow(scale: Scale, keg: Keg | null, meter: FlowMeter | null, at: Moment): boolean {
    const kegId = keg?.id ?? null;
    const { id: meterId = null, ticksPerMl = null, curve = null } = meter ?? {};
    const meterKey = JSON.stringify([meterId, ticksPerMl, curve]);
    const source = JSON.stringify([scale.topic, scale.payloadField, scale.unit]);
    const before = this.#meter;
    const isOtherMeter = meterKey !== before?.key;
    const isOtherKeg = kegId !== this.#kegId;
    const isOtherSource = source !== this.#source;
    this.#kegId = kegId;
    this.#meter = { id: meterId, key: meterKey };
    this.#source = source;
    let hasLearned = false;
    if (isOtherMeter || isOtherKeg || isOtherSource) {
      hasLearned = this.#learning.finish(at);
      this.#learning.forget();
      this.#judge.reset();
      this.#scale.reset();
    }
    // After a start of the daemon the meter is not another one.
    const hasOtherFactor = isOtherMeter && before !== undefined;
    if (!isOtherKeg && !hasOtherFactor) return hasLearned;
    const isOutdated = ({ kegId: of, kind }: ScaleFinding) =>
      of !== kegId ||
      (hasOtherFactor && kind === 'wrong_factor') ||
      (hasOtherFactor && kind === 'ticks_missing' && before.id !== meterId);
    const outdated = this.#parts.store.scaleFindings.open(scale.id).filter(isOutdated);
    if (outdated.length === 0) return hasLearned;
    this.#parts.store.recording(() => {
      for (const { id } of outdated) this.#parts.store.scaleFindings.end(id, toTime(at));
    });
    return true;
  }

  #judgeStep(
    step: ScaleStep,
    density: KegDensity,
    keg: Keg,
    meter: FlowMeter | null,
    at: Moment,
  ): readonly FindingChange[] {
    const isKegChange = at.wallMs - keg.startedTimeMs < kegChangeMs;
    const uMeterMl = (volumeMl: number) =>
      pourUncertainty(
        meter === null ? unknownMeter : toMeterUncertainty(this.#parts.store, meter, at.wallMs),
        { volumeMl },
      ) / coverage;
    return this.#judge
      .step(step, density, uMeterMl)
      .filter(({ kind }) => kind !== 'keg_moved' || !isKegChange);
  }

  /** Until the keg stands on the scale for certain, and while little was poured from it. */
  #judgeSize(scale: Scale, keg: Keg, density: KegDensity, at: Moment): readonly FindingChange[] {
    const sizeKey = JSON.stringify([keg.id, keg.fullVolumeMl, scale.emptyWeightG]);
    const isCorrected = this.#sizeKey !== undefined && sizeKey !== this.#sizeKey;
    this.#sizeKey = sizeKey;
    // Also when too much was poured to judge it again.
    if (isCorrected) return [{ kind: 'wrong_keg_size', figures: null }];
    const { level } = this.#scale;
    if (level === null || scale.emptyWeightG === null) return [];
    if (at.monoMs - this.#sizeMonoMs < sizeEveryMs) return [];
    if (at.wallMs - keg.startedTimeMs < kegChangeMs) return [];
    if (keg.servedVolumeMl > maxServedShare * keg.fullVolumeMl) return [];
    this.#sizeMonoMs = at.monoMs;
    const record = {
      volumeMl: keg.fullVolumeMl - keg.servedVolumeMl - keg.spilledVolumeMl,
      uMl: this.#parts.uncertainties.keg(keg) / coverage,
    };
    const change = judgeKegSize(toScaleRemainder(level.weightG, scale.emptyWeightG, density), record);
    return change === null ? [] : [change];
  }

  #isNew(
    { kind, figures }: FindingChange,
    open: ReturnType<ScaleDatabase['scaleFindings']['open']>[number] | undefined,
    { kegId, at }: { readonly kegId: number; readonly at: Moment },
  ): boolean {
    if (figures === null) return open !== undefined;
    if (open !== undefined) return Math.abs(toTime(at) - open.updatedMs) >= renewMs;
    const closed = this.#parts.store.scaleFindings.lastClosedMs({ scaleId: this.#scaleId, kind, kegId });
    return closed === null || Math.abs(toTime(at) - closed) >= closedMs;
  }

  #write({ kind, figures }: FindingChange, kegId: number, at: Moment): void {
    const { scaleFindings } = this.#parts.store;
    const open = scaleFindings.open(this.#scaleId).find((one) => one.kind === kind);
    if (figures === null) {
      if (open !== undefined) scaleFindings.end(open.id, toTime(at));
    } else if (open === undefined) {
      scaleFindings.add({ scaleId: this.#scaleId, kind, kegId, timeMs: toTime(at), ...figures });
    } else scaleFindings.update(open.id, figures, toTime(at));
  }
}

/**
 * The keg on the scale of a tap; null without one. Of several kegs on the tap nobody knows which one stands there, and a keg with
 * further taps loses weight that this meter does not count.
 */
function findScaledKeg(store: ScaleDatabase, { kegId, kegIdsBehind }: TapRecord): Keg | null {
  if (kegId === null || kegIdsBehind.length > 0 || store.taps.ofKeg(kegId).length > 1) return null;
  return store.kegs.byId(kegId);
}

/** What is left in the keg by the scale; null where the empty weight is not known. */
export function findScaleRemainder(
  store: ScaleDatabase,
  scale: Scale,
  weightG: number,
): MeasuredVolume | null {
  const tap = scale.tapId === null ? null : store.taps.byId(scale.tapId);
  const keg = tap === null ? null : findScaledKeg(store, tap);
  if (keg === null || scale.emptyWeightG === null) return null;
  return toScaleRemainder(weightG, scale.emptyWeightG, findKegDensity(store, keg));
}

/** True for a kind that this program knows. */
export const isScaleFindingKind = (name: string): name is (typeof scaleFindingKinds)[number] =>
  (scaleFindingKinds as readonly string[]).includes(name);

const toTime = ({ wallMs }: Moment): number => Math.max(0, Math.round(wallMs));
