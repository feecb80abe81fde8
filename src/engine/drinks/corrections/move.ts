import type { Moment } from '../../../core/clock/moment.ts';
import type { Store } from '../../../store/store.ts';
import { requireFound, validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import type { TapRef } from '../../shared/views.ts';
import { resolveTap } from '../../taps/taps.ts';
import { recomputeKeg } from '../apply-drink.ts';
import { correct, type WithActor } from './correct.ts';
import { requireValidDrink } from './corrected-drink.ts';

/** Destination: a keg, none, or a tap with its current keg. */
type MoveTo = { readonly kegId: number | null } | { readonly tap: TapRef };

/** Moves a drink to another keg; recomputes the totals of both. */
export function move(
  parts: EngineParts,
  id: number,
  { actor, ...to }: MoveTo & WithActor,
  now: Moment,
): void {
  const { store } = parts;
  const touches = () => ({ kegIds: [destination(store, to).kegId] });
  correct(parts, { action: 'drink.moved', drinkIds: [id], touches, actor }, now, () => {
    const before = requireValidDrink(store, id);
    const { tapId, kegId } = destination(store, to);
    if (kegId !== null) requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
    if (tapId !== null) store.drinks.setTap(id, tapId);
    if (kegId === before.kegId) return undefined;
    store.drinks.setKeg(id, kegId);
    store.events.setKeg(id, kegId);
    if (before.kegId !== null) recomputeKeg(store, before.kegId);
    if (kegId !== null) recomputeKeg(store, kegId);
    return undefined;
  });
}

function destination(
  store: Store,
  to: MoveTo,
): { readonly tapId: number | null; readonly kegId: number | null } {
  if (!('tap' in to)) return { tapId: null, kegId: to.kegId };
  const { tapId } = resolveTap(store, to.tap);
  if (tapId === null) throw validationError('tap', 'must be a tap: that meter is connected to none');
  return { tapId, kegId: store.taps.byId(tapId)!.kegId };
}
