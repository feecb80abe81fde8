import { AppError } from '../../../core/app-error.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { kegIdsOf, recomputeKeg } from '../../kegs/placement/place-drinks.ts';
import { requireFound, validationError } from '../../shared/bounds.ts';
import type { DrinkView } from '../../shared/views.ts';
import { isAnonymous } from '../../users/resolve-user.ts';
import { recomputeSessions } from '../sessions/recompute-sessions.ts';
import { toCancelledKey } from './row-image.ts';

/** The drink, or throws `not_found`. */
export const requireDrink = (store: Store, id: number): Drink =>
  requireFound(Number.isSafeInteger(id) ? store.drinks.byId(id) : null, `drink ${id}`);

/** The drink; throws `conflict` for a held one, which must be kept first. */
export function requireValidDrink(store: Store, id: number): Drink {
  const drink = requireDrink(store, id);
  if (!drink.isValid) {
    throw new AppError('conflict', `Drink ${id} is held: keep it first, on the keg you want.`, {
      reason: { name: 'drink_held', drink: id },
    });
  }
  return drink;
}

/** The drink with its related objects. */
export function toDrinkView(store: Store, drink: Drink): DrinkView {
  return {
    drink,
    keg: drink.kegId === null ? null : store.kegs.byId(drink.kegId),
    user: drink.username === null ? null : store.users.byName(drink.username),
    session: drink.sessionId === null ? null : store.drinks.sessions.byId(drink.sessionId),
  };
}

/** The id of that account; null for no user. Throws `invalid_request` for an unknown name. */
export function requireAccountId(store: Store, username: string | null): number | null {
  if (isAnonymous(username)) return null;
  const user = store.users.byName(username);
  if (user === null)
    throw validationError('username', 'must be the name of an account', { name: 'exists', what: 'account' });
  return user.id;
}

/** Recomputes kegs and session from their drinks. */
export function recomputeTotals(
  store: Store,
  { sessionId, ...kegs }: Pick<Drink, 'kegId' | 'parts' | 'sessionId'>,
): void {
  for (const kegId of kegIdsOf(kegs)) recomputeKeg(store, kegId);
  if (sessionId !== null) recomputeSessions(store, [sessionId]);
}

/**
 * Deletes the drink with its events; its pour id stays known, so that a retry does not record it again. With `joinedTo` its ticks
 * are in that drink.
 */
export function deleteDrink(store: Store, drink: Drink, joinedTo: number | null = null): void {
  // Without a pour id, what was reported may be sent again, and the ticks of a part are nobody's now.
  const isReported = drink.source === 'post' || drink.source === 'device' || drink.source === 'manual';
  const isLost = drink.ticks > 0 && joinedTo === null;
  const pourId = drink.pourId ?? (isReported || isLost ? toCancelledKey(drink.id) : null);
  if (pourId !== null) store.drinks.addCancelled(pourId, { ...drink, isValid: false }, joinedTo);
  store.drinks.remove(drink.id);
}
