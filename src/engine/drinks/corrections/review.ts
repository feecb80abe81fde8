import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { FlowEnd } from '../../../core/pours/flow-end.ts';
import type { Drink } from '../../../core/records.ts';
import type { Placement } from '../../../store/drinks/drink-placements.ts';
import type { Store } from '../../../store/store.ts';
import { updateEvidenceAt, updateKegEvidence } from '../../kegs/keg-evidence.ts';
import { findPlacement } from '../../kegs/placement/keg-spans.ts';
import { kegIdsOf } from '../../kegs/placement/place-drinks.ts';
import { systemActor } from '../../shared/audit.ts';
import { requireFound } from '../../shared/bounds.ts';
import { setAsidePoursOf } from '../../shared/corrections/set-aside-pours.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { isAnonymous } from '../../users/resolve-user.ts';
import { writeDrinkEvents } from '../apply-drink.ts';
import { assignSession } from '../sessions/assign-session.ts';
import { answerByPours } from '../suspected-kegs.ts';
import { correct, type WithActor } from './correct.ts';
import { deleteDrink, requireAccountId, requireDrink } from './corrected-drink.ts';

/** Where a held pour is recorded; absent values stay as poured. */
interface KeepAs {
  readonly tapId?: number;
  /** Null: none. */
  readonly kegId?: number | null;
  readonly username?: string;
}

/** Makes a held pour, or one that is set aside, valid and applies it to keg and session. */
export function keep(
  parts: EngineParts,
  id: number,
  { actor, ...as }: KeepAs & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const touches = () => {
    const held = requireDrink(store, id);
    const kegIds = setAsidePoursOf(parts, held)?.kegIds(id) ?? [];
    return { kegIds: [...kegIdsOf(toPlacement(store, held, as)), ...kegIds] };
  };
  const correction = {
    action: 'held_pour.kept',
    drinkIds: [id],
    touches,
    actor,
    isOfSetAside: true,
  } as const;
  correct(parts, correction, now, () => {
    keepRows(parts, id, { ...as, ...omitUndefined({ actor }) }, now);
    answerByPours(store, store.drinks.byId(id)!.tapId);
    return undefined;
  });
}

/** Makes a held pour valid within a correction that has its kegs and sessions. Throws `conflict` for one that is not held. */
export function keepRows(
  parts: EngineParts,
  id: number,
  { actor = systemActor, ...as }: KeepAs & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const held = requireHeld(store, id, 'there is nothing to keep');
  const { kegIds } = applyToBar(store, held, as);
  for (const kegId of kegIds) {
    store.kegs.extendTimeSpan(kegId);
    updateKegEvidence(store, kegId);
  }
  updateEvidenceAt(store, held);
  setAsidePoursOf(parts, held)?.kept(id, { actor, now });
  parts.hooks.drinkRecorded(requireDrink(store, id), toFlowEnd(store, held, now));
}

/** Gives the pour its tap, keg, user and session, and writes its events. Returns the kegs that it came from. */
function applyToBar(store: Store, held: Drink, as: KeepAs): { readonly kegIds: readonly number[] } {
  const { id, pourTimeMs: timeMs, volumeMl } = held;
  const { tapId, ...placement } = toPlacement(store, held, as);
  const { kegId } = placement;
  const username = as.username ?? null;
  const userId = isAnonymous(username) ? store.drinks.userId(id) : requireAccountId(store, username);
  if (tapId !== null) requireFound(store.taps.byId(tapId), `tap ${tapId}`);
  if (kegId !== null) requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  const assignment = assignSession(store, { timeMs, volumeMl });
  store.drinks.accept(id, { tapId, placement, userId, sessionId: assignment.sessionId });
  const drink = { drinkId: id, kegId, userId, timeMs, volumeMl, parts: placement.parts };
  writeDrinkEvents(store, drink, assignment);
  return { kegIds: kegIdsOf(placement) };
}

/** When it flowed; while the clock is not set, by the monotonic clock as well, so that the time can be corrected. */
function toFlowEnd(store: Store, { id, pourTimeMs: atMs, timeCertain }: Drink, now: Moment): FlowEnd {
  const provisional = store.drinks.provisionalByBoot(now.bootId).find((drink) => drink.id === id);
  return provisional === undefined
    ? { atMs, timeCertain, clockBoot: '', monoMs: 0 }
    : { atMs, timeCertain, clockBoot: now.bootId, monoMs: provisional.endMonoMs };
}

/** Deletes a held pour; its ticks stay in the meter's total. */
export function discard(parts: EngineParts, id: number, { actor }: WithActor, now: Moment): void {
  const { store } = parts;
  correct(parts, { action: 'held_pour.discarded', drinkIds: [id], actor }, now, () => {
    const held = requireHeld(store, id, 'cancel it instead of discarding it');
    deleteDrink(store, held);
    updateEvidenceAt(store, held);
    return undefined;
  });
}

function requireHeld(store: Store, id: number, advice: string): Drink {
  const drink = requireDrink(store, id);
  if (!drink.isValid) return drink;
  throw new AppError('conflict', `Drink ${id} is not held: ${advice}.`, {
    reason: { name: 'drink_not_held', drink: id },
  });
}

/** The tap the meter is connected to now. */
export function tapOfMeter(store: Store, meter: string | null): number | null {
  return meter === null ? null : (store.taps.meters.byName(meter)?.tapId ?? null);
}

/**
 * The keg that staff name, else the one that was on the tap when it flowed. Where none was, staff who keep it choose the one that is there
 * now: the keg was changed before somebody said so.
 */
function toPlacement(store: Store, held: Drink, as: KeepAs): Placement & { readonly tapId: number | null } {
  // A tap that was deleted since has no keg: the meter may be connected to another one by now.
  const heldTapId = held.tapId !== null && store.taps.byId(held.tapId) !== null ? held.tapId : null;
  const tapId = as.tapId ?? heldTapId ?? tapOfMeter(store, held.meter);
  if (as.kegId !== undefined) return { tapId, kegId: as.kegId, parts: null, isKegAssigned: true };
  const placement = findPlacement(store, { ...held, tapId }, store.drinks.flowEnd(held.id));
  const present = tapId === null || placement.kegId !== null ? null : store.taps.byId(tapId)?.kegId;
  return present == null
    ? { tapId, ...placement }
    : { tapId, kegId: present, parts: null, isKegAssigned: true };
}

/** Where a held pour is recorded unless staff say otherwise. */
export const suggestPlacement = (store: Store, held: Drink) => toPlacement(store, held, {});
