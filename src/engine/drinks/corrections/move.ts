import type { Moment } from '../../../core/clock/moment.ts';
import type { Drink } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { findPlacement } from '../../kegs/placement/keg-spans.ts';
import { kegIdsOf, recomputeKeg } from '../../kegs/placement/place-drinks.ts';
import { requireFound, validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import type { TapRef } from '../../shared/views.ts';
import { resolveTap } from '../../taps/taps.ts';
import { correct, type WithActor } from './correct.ts';
import { requireValidDrink } from './corrected-drink.ts';

/** Destination: a keg, none, or a tap with the keg that was on it then. */
type MoveTo = { readonly kegId: number | null } | { readonly tap: TapRef };

/** Moves a drink to another keg or tap; recomputes the totals of all kegs. A keg that is named stays, whatever was on the tap. */
export function move(
  parts: EngineParts,
  id: number,
  { actor, ...to }: MoveTo & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const touches = () => ({
    kegIds:
      'tap' in to ? findKegIds(store, requireValidDrink(store, id), requireTap(store, to.tap)) : [to.kegId],
  });
  correct(parts, { action: 'drink.moved', drinkIds: [id], touches, actor }, now, () => {
    const before = requireValidDrink(store, id);
    if ('tap' in to) {
      const tapId = requireTap(store, to.tap);
      store.drinks.setTap(id, tapId);
      store.drinks.setPlacement(id, { ...before, isKegAssigned: false });
      return undefined;
    }
    const { kegId } = to;
    if (kegId !== null) requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
    if (kegId === before.kegId && before.parts === null) return undefined;
    store.drinks.setPlacement(id, { kegId, parts: null, isKegAssigned: true });
    store.drinks.events.setKeg(id, kegId);
    for (const one of new Set([...kegIdsOf(before), ...(kegId === null ? [] : [kegId])]))
      recomputeKeg(store, one);
    return undefined;
  });
}

const findKegIds = (store: Store, drink: Drink, tapId: number): readonly number[] =>
  kegIdsOf(findPlacement(store, { ...drink, tapId }, store.drinks.flowEnd(drink.id)));

function requireTap(store: Store, tap: TapRef): number {
  const { tapId } = resolveTap(store, tap);
  if (tapId === null) throw validationError('tap', 'must be a tap: that meter is connected to none');
  return tapId;
}
