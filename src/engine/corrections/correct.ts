import type { Moment } from '../../core/moment.ts';
import type { Drink } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { type Actor, systemActor, writeAudit } from '../audit.ts';
import { change, type EngineParts } from '../parts.ts';
import { type ImageScope, readImage, widenScope } from './row-image.ts';

/** What every correction is told beside its own matter. */
export interface WithActor {
  /** Who acts; the house when absent. */
  readonly actor?: Actor;
}

/** A correction about to be made. */
export interface Correction {
  /** The word the book of changes has for it, `drink.split`. */
  readonly action: string;
  /** The drinks it touches; the first is the one it is about. */
  readonly drinkIds: readonly [number, ...number[]];
  /** Kegs and sessions it touches that those drinks do not name yet; asked for within the transaction. */
  readonly touches?: () => {
    readonly kegIds: readonly (number | null)[];
    readonly sessionIds?: readonly number[];
  };
  readonly actor: Actor | undefined;
}

/** What a correction has made beside what it changed. */
export interface CreatedRows {
  readonly drinkIds?: readonly number[];
  readonly spillIds?: readonly number[];
}

/**
 * Makes a correction in one transaction, and writes down who made it, from what to what, with all that is needed to
 * undo it. A correction that changes nothing leaves no trace.
 */
export function correct(
  parts: EngineParts,
  correction: Correction,
  now: Moment,
  work: () => CreatedRows | undefined,
): void {
  const { store } = parts;
  change(parts, () => {
    const { kegIds = [], sessionIds = [] } = correction.touches?.() ?? {};
    const scope: ImageScope = widenScope(store, {
      drinkIds: correction.drinkIds,
      kegIds: new Set(kegIds.filter((id) => id !== null)),
      sessionIds: new Set(sessionIds),
      spillIds: [],
      pourIds: new Set(),
    });
    const before = readImage(store, scope);
    const drinksBefore = toAuditDrinks(store, scope.drinkIds);
    const created = work() ?? {};
    const wider = widenScope(store, {
      ...scope,
      drinkIds: [...scope.drinkIds, ...(created.drinkIds ?? [])],
      spillIds: created.spillIds ?? [],
    });
    const after = readImage(store, wider);
    const [beforeText, afterText] = [JSON.stringify(before), JSON.stringify(after)];
    if (beforeText === afterText) return;
    for (const { name } of before.pictures) {
      if (store.pictures.byName(String(name)) === null) store.pictures.setAside(String(name));
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
    store.corrections.add({ id, kind: 'rows', before: beforeText, after: afterText });
    for (const drinkId of wider.drinkIds) store.corrections.touch(id, drinkId);
  });
}

/** Drinks as the book of changes tells of them, in the words of the API; those that are gone are left out. */
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
  ...(drink.heldReason === null ? {} : { held_reason: drink.heldReason }),
  ...(drink.shout === null ? {} : { shout: drink.shout }),
});
