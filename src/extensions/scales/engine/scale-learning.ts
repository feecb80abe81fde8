import type { Moment } from '../../../core/clock/moment.ts';
import type { Keg } from '../../../core/records.ts';
import { findKegDensity } from '../../../engine/kegs/keg-weight.ts';
import type { Store } from '../../../store/store.ts';
import { addScalePours, type ScaleEvidence, type ScalePour } from '../core/scale-evidence.ts';

/** Evidence is stored at most so often while a keg is poured, since each commit wears the card, milliseconds. */
const storeEveryMs = 3_600_000;
/** More pours are a keg and more; a bound of the memory. */
const maxPours = 1_000;

/** The keg, meter and scale whose pours are collected. */
export interface ScalePair {
  readonly scaleId: number;
  readonly kegId: number;
  readonly meterId: number;
}

/** Collects what a scale and a meter saw of one keg's pours, as evidence for the meter's factor. */
export class ScaleLearning {
  readonly #store: Store;
  #pair: ScalePair | null = null;
  #pours: ScalePour[] = [];
  /** What an earlier run of the daemon stored of the keg. */
  #before: ScaleEvidence | null = null;
  #storedMonoMs = Number.NEGATIVE_INFINITY;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Adds a pour, and stores the evidence now and then; returns whether it was stored. */
  add(pour: ScalePour, pair: ScalePair, at: Moment): boolean {
    if (!isSame(this.#pair, pair)) this.#start(pair);
    if (this.#pours.length < maxPours) this.#pours.push(pour);
    if (at.monoMs - this.#storedMonoMs < storeEveryMs) return false;
    return this.finish(at);
  }

  /** Stores what was collected: the keg or the meter is to be another one. Returns whether anything was. */
  finish(at: Moment): boolean {
    const pair = this.#pair;
    const keg = pair === null ? null : this.#store.kegs.byId(pair.kegId);
    if (pair === null || keg === null || this.#pours.length === 0) return false;
    const found = addScalePours(this.#pours, findKegDensity(this.#store, keg), this.#before);
    if (found === null) return false;
    this.#storedMonoMs = at.monoMs;
    this.#store.transaction(() => this.#write(found, pair, keg, at));
    return true;
  }

  /** What follows is compared anew. */
  forget(): void {
    this.#pair = null;
    this.#pours = [];
    this.#before = null;
    this.#storedMonoMs = Number.NEGATIVE_INFINITY;
  }

  #start(pair: ScalePair): void {
    this.forget();
    this.#pair = pair;
    const stored = this.#store.taps.meterEvidence.byPouredKeg(pair.kegId, 'scale');
    this.#before = stored?.meterId === pair.meterId ? stored : null;
  }

  #write(found: ScaleEvidence, { scaleId, kegId, meterId }: ScalePair, keg: Keg, at: Moment): void {
    const { provisionalTimes } = this.#store;
    const { meterEvidence } = this.#store.taps;
    // The gain of a scale is wrong by the same share for all kegs, like the filling of a brewery.
    const fillGroup = `scale/${scaleId}/${keg.beverageId}`;
    const measure = {
      ...found,
      kind: 'scale' as const,
      fillGroup,
      timeMs: Math.max(0, Math.round(at.wallMs)),
      isFit: true,
      incompleteReason: null,
    };
    const stored = meterEvidence.byPouredKeg(kegId, 'scale');
    if (stored !== null && stored.meterId === meterId) {
      meterEvidence.setMeasure(stored.id, measure);
      return;
    }
    if (stored !== null) {
      provisionalTimes.clear('meter_evidence', stored.id);
      meterEvidence.removeByPouredKeg(kegId, 'scale');
    }
    const id = meterEvidence.add({
      ...measure,
      meterId,
      kegId: null,
      calibrationId: null,
      pouredKegId: kegId,
    });
    provisionalTimes.note('meter_evidence', id, at);
  }
}

const isSame = (one: ScalePair | null, other: ScalePair): boolean =>
  one !== null && one.scaleId === other.scaleId && one.kegId === other.kegId && one.meterId === other.meterId;
