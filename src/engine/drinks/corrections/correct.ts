import { AppError } from '../../../core/app-error.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { followLowMark } from '../../kegs/placement/low-mark.ts';
import { placeDrink, recomputeKeg } from '../../kegs/placement/place-drinks.ts';
import { followCount } from '../../kegs/placement/series.ts';
import { type Actor, systemActor, writeAudit } from '../../shared/audit.ts';
import { addCorrection } from '../../shared/corrections/add-correction.ts';
import { change, type EngineParts } from '../../shared/parts.ts';
import { type ImageScope, readImage, widenScope } from './row-image.ts';

/** Option of every correction. */
export interface WithActor {
  /** Who acts; the daemon itself when absent. */
  readonly actor?: Actor;
}

/** A correction to be made. */
interface Correction {
  /** Action in the audit log, `drink.split`. */
  readonly action: string;
  /** The drinks it changes; the first is its subject. */
  readonly drinkIds: readonly [number, ...number[]];
  /** Kegs it changes that these drinks do not refer to yet; called within the transaction. */
  readonly touches?: () => { readonly kegIds: readonly (number | null)[] };
  readonly actor: Actor | undefined;
  /** True for what staff do with pours that are set aside; default: they are refused, since they are no drinks. */
  readonly isOfSetAside?: boolean;
}

/** Rows created by a correction. */
interface CreatedRows {
  readonly drinkIds?: readonly number[];
  readonly spillIds?: readonly number[];
}

/**
 * Makes a correction in one transaction and logs who made it, the values before and after, and the rows
 * needed to undo it. A correction that changes nothing is not logged.
 */
export function correct(
  parts: EngineParts,
  correction: Correction,
  now: Moment,
  work: () => CreatedRows | undefined,
): void {
  const { store } = parts;
  change(parts, () => {
    if (correction.isOfSetAside !== true) rejectSetAside(store, correction.drinkIds);
    const { kegIds = [] } = correction.touches?.() ?? {};
    const scope: ImageScope = widenScope(store, {
      drinkIds: correction.drinkIds,
      kegIds: new Set(kegIds.filter((id) => id !== null)),
      sessionIds: new Set(),
      spillIds: [],
      pourIds: new Set(),
    });
    const before = readImage(store, scope);
    const drinksBefore = toAuditDrinks(store, scope.drinkIds);
    const created = work() ?? {};
    placeAgain(store, [...scope.drinkIds, ...(created.drinkIds ?? [])]);
    const wider = widenScope(store, {
      ...scope,
      drinkIds: [...scope.drinkIds, ...(created.drinkIds ?? [])],
      spillIds: created.spillIds ?? [],
    });
    for (const kegId of wider.kegIds) followCount(store, kegId, now);
    const after = readImage(store, wider);
    const [beforeText, afterText] = [JSON.stringify(before), JSON.stringify(after)];
    if (beforeText === afterText) return;
    for (const { name } of before.pictures) {
      if (store.pictures.byName(String(name)) === null) store.pictures.addCancelled(String(name));
    }
    const id = writeAudit(
      store,
      {
        actor: correction.actor ?? systemActor,
        action: correction.action,
        subject: { kind: 'drink', id: correction.drinkIds[0] },
        before: drinksBefore,
        after: toAuditDrinks(store, wider.drinkIds),
      },
      now,
    );
    addCorrection(parts, { id, kind: 'rows', before: beforeText, after: afterText });
    for (const drinkId of wider.drinkIds) store.drinks.corrections.addCorrectedDrink(id, drinkId);
  });
}

/** Finds the kegs of drinks again whose tap, time or volume may have changed. */
export function placeAgain(store: Store, drinkIds: readonly number[]): void {
  const kegIds = new Set(drinkIds.flatMap((id) => placeDrink(store, id)));
  for (const kegId of kegIds) {
    recomputeKeg(store, kegId);
    followLowMark(store, kegId);
  }
}

/** Throws `conflict` for pours that are set aside. */
function rejectSetAside(store: Store, drinkIds: readonly number[]): void {
  const id = drinkIds.find((one) => Number.isSafeInteger(one) && store.drinks.byId(one)?.isSetAside === true);
  if (id === undefined) return;
  throw new AppError('conflict', `Pour ${id} is set aside: make it a drink first.`, {
    reason: { name: 'drink_held', drink: id },
  });
}

/** Drinks for the audit log, with the API's field names; deleted ones are left out. */
export function toAuditDrinks(store: Store, ids: readonly number[]) {
  return { drinks: ids.flatMap((id) => store.drinks.byId(id) ?? []).map(toAuditDrink) };
}

const toAuditDrink = (drink: Drink) => ({
  id: drink.id,
  volume_ml: drink.volumeMl,
  ticks: drink.ticks,
  user_id: drink.username,
  tap_id: drink.tapId,
  keg_id: drink.kegId,
  session_id: drink.sessionId,
  is_valid: drink.isValid,
  ...omitUndefined({ held_reason: drink.heldReason ?? undefined, shout: drink.shout ?? undefined }),
});
