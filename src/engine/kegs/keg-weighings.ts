import { AppError } from '../../core/app-error.ts';
import type { Moment } from '../../core/clock/moment.ts';
import { toWeighedRemainder } from '../../core/kegs/keg-weighing.ts';
import { defaultBalanceG, maxContentGPerMl, weighingBounds } from '../../core/kegs/keg-weight.ts';
import { coverage } from '../../core/measurement/uncertainty.ts';
import type { Keg, StoredWeighing } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, systemActor } from '../shared/audit.ts';
import { requireFound, validateNumber, validationError } from '../shared/bounds.ts';
import type { EngineParts } from '../shared/parts.ts';
import { weighKegEvidence } from './keg-evidence.ts';
import { findEmptyWeight, findKegDensity, findKegSize, toKegWeighing } from './keg-weight.ts';
import { type Corrected, correctableRecordChange } from './record-corrections.ts';
import { weighingRows } from './record-rows.ts';

/** A keg on a balance, as staff enter it. */
export interface WeighingRequest {
  /** With the keg, grams. */
  readonly weightG: number;
  /** As stamped on the keg, grams; null: that of its size. */
  readonly emptyWeightG?: number | null;
  /** ± of the balance, grams. */
  readonly balanceG?: number;
  /** Unix milliseconds; now unless given. */
  readonly timeMs?: number;
}

/** A weighing with what was left in the keg. */
export interface WeighingView extends StoredWeighing {
  /** The weight of the empty keg that was used, grams; null where it is not known. */
  readonly usedEmptyG: number | null;
  /** What was left by weight, with half the width of its 95 % interval, millilitres; null without an empty weight. */
  readonly left: { readonly volumeMl: number; readonly uncertaintyMl: number } | null;
  /** What was left then by drinks and spills, millilitres. */
  readonly countedMl: number;
  readonly username: string | null;
}

/** More than anybody weighs a keg. */
const maxWeighings = 50;

/** Kegs on a balance: what is left in them, and evidence for their meters. A weighing never changes a drink. */
export type KegWeighings = ReturnType<typeof createKegWeighings>;

export function createKegWeighings(parts: EngineParts) {
  const { store } = parts;
  const requireKeg = (id: number): Keg => requireFound(store.kegs.byId(id), `keg ${id}`);
  const requireWeighing = (kegId: number, id: number): StoredWeighing => {
    const found = store.kegs.weighings.byId(id);
    return requireFound(found?.kegId === kegId ? found : null, `weighing ${id} of keg ${kegId}`);
  };
  const view = (id: number): WeighingView => {
    const weighing = store.kegs.weighings.byId(id)!;
    return toView(store, requireKeg(weighing.kegId), weighing);
  };

  /** Runs a change of a weighing and measures the evidence of its keg again; undo restores both. */
  const correctable = <T>(
    action: string,
    kegId: number,
    { actor = systemActor, now }: { readonly actor: Actor | undefined; readonly now: Moment },
    work: () => { readonly id: number; readonly result: T },
  ): Corrected<T> => {
    let weighingId = 0;
    const snapshot = () => store.kegs.weighings.byId(weighingId);
    const subject = { action, kind: 'keg', id: kegId, snapshot };
    return correctableRecordChange(
      parts,
      { actor, now },
      subject,
      () => weighingRows(store, kegId),
      () => {
        const { id, result } = work();
        weighingId = id;
        weighKegEvidence(store, kegId, now);
        return result;
      },
    );
  };

  return {
    /** In the order of their times. Throws `not_found` for an unknown keg. */
    list: (kegId: number): readonly WeighingView[] =>
      store.snapshot(() => {
        const keg = requireKeg(kegId);
        return store.kegs.weighings.byKeg(kegId).map((one) => toView(store, keg, one));
      }),

    /** The weight of an empty keg of its size, grams; null where it is not known. */
    usualEmptyG: (kegId: number): number | null =>
      findEmptyWeight(store, requireKeg(kegId), null)?.weightG ?? null,

    add(kegId: number, request: WeighingRequest, now: Moment, actor?: Actor): Corrected<WeighingView> {
      return correctable('keg.weighed', kegId, { actor, now }, () => {
        const keg = requireKeg(kegId);
        if (store.kegs.weighings.byKeg(kegId).length >= maxWeighings) throw tooManyError(kegId);
        const { balanceG = defaultBalanceG, emptyWeightG = null } = request;
        const timeMs = request.timeMs ?? Math.round(now.wallMs);
        const fields = validateWeighing(store, keg, { ...request, balanceG, emptyWeightG, timeMs }, now);
        const id = store.kegs.weighings.add({ ...fields, kegId, userId: actor?.userId ?? null });
        if (request.timeMs === undefined) store.provisionalTimes.note('keg_weighing', id, now);
        return { id, result: view(id) };
      });
    },

    /** Fields left out keep their values. */
    change(
      kegId: number,
      id: number,
      { request, actor }: { readonly request: Partial<WeighingRequest>; readonly actor?: Actor | undefined },
      now: Moment,
    ): Corrected<WeighingView> {
      return correctable('keg.weighing_changed', kegId, { actor, now }, () => {
        const weighing = requireWeighing(kegId, id);
        const fields = validateWeighing(store, requireKeg(kegId), { ...weighing, ...request }, now);
        store.kegs.weighings.change({ ...weighing, ...fields });
        if (request.timeMs !== undefined) store.provisionalTimes.clear('keg_weighing', id);
        return { id, result: view(id) };
      });
    },

    remove: (kegId: number, id: number, now: Moment, actor?: Actor): Corrected<void> =>
      correctable('keg.weighing_deleted', kegId, { actor, now }, () => {
        requireWeighing(kegId, id);
        store.provisionalTimes.clear('keg_weighing', id);
        store.kegs.weighings.remove(id);
        return { id, result: undefined };
      }),
  };
}

type WeighingFields = Pick<StoredWeighing, 'weightG' | 'emptyWeightG' | 'balanceG' | 'timeMs'>;

function validateWeighing(store: Store, keg: Keg, fields: WeighingFields, now: Moment): WeighingFields {
  const balanceG = validateNumber('balance_g', fields.balanceG, weighingBounds.balanceG);
  const emptyWeightG =
    fields.emptyWeightG === null
      ? null
      : validateNumber('empty_weight_g', fields.emptyWeightG, weighingBounds.emptyWeightG);
  const weightG = validateNumber('weight_g', fields.weightG, weighingBounds.weightG);
  const empty = findEmptyWeight(store, keg, emptyWeightG);
  if (empty === null)
    throw validationError('empty_weight_g', 'is required: kegs of this size differ', { name: 'required' });
  const innerMl = Math.max(keg.fullVolumeMl, findKegSize(store, keg)?.volumeMl ?? 0);
  const [leastG, mostG] = [
    empty.weightG - 2 * empty.uG - balanceG,
    empty.weightG + maxContentGPerMl * innerMl,
  ];
  if (weightG < leastG)
    throw validationError('weight_g', `is less than the empty keg weighs (${toKg(empty.weightG)} kg)`, {
      name: 'lighter_than_empty',
      kg: toKg(empty.weightG),
    });
  if (weightG > mostG)
    throw validationError('weight_g', `is more than the full keg weighs (${toKg(mostG)} kg at most)`, {
      name: 'heavier_than_full',
      kg: toKg(mostG),
    });
  if (fields.timeMs > now.wallMs)
    throw validationError('time', 'must not be in the future', { name: 'keg_time', what: 'future' });
  return { weightG, emptyWeightG, balanceG, timeMs: Math.max(0, Math.round(fields.timeMs)) };
}

function toView(store: Store, keg: Keg, weighing: StoredWeighing): WeighingView {
  const known = toKegWeighing(store, keg, weighing);
  const left = known && toWeighedRemainder(known.weighing, findKegDensity(store, keg));
  const { servedVolumeMl, spilledVolumeMl } = store.kegs.weighings.usedUntil(keg.id, weighing.timeMs);
  return {
    ...weighing,
    usedEmptyG: known?.weighing.emptyWeightG ?? null,
    left: left && { volumeMl: left.volumeMl, uncertaintyMl: coverage * left.uMl },
    countedMl: keg.fullVolumeMl - servedVolumeMl - spilledVolumeMl,
    username: weighing.userId === null ? null : (store.users.byId(weighing.userId)?.username ?? null),
  };
}

const toKg = (grams: number): number => Math.round(grams / 100) / 10;

const tooManyError = (kegId: number): AppError =>
  new AppError('conflict', `Keg ${kegId} was weighed ${maxWeighings} times: delete a weighing first.`, {
    reason: { name: 'too_many_weighings', most: maxWeighings },
  });
