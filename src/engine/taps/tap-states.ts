import type { Tap } from '../../core/records.ts';
import { type RestingTapState, restingTapState } from '../../core/taps/tap-state.ts';
import type { EngineParts } from '../shared/parts.ts';

export type FindTapState = (tap: Tap) => RestingTapState;

/** Gathers what decides on the state of a tap. A pour reads one row for all taps. */
export function createTapStates({ store, hooks }: Pick<EngineParts, 'store' | 'hooks'>): FindTapState {
  const heldTaps = store.cachedUntilWrite(() => new Set(store.drinks.heldTapIds()));
  return (tap) =>
    restingTapState({
      closed: hooks.closedState(tap.id),
      hasKeg: tap.kegId !== null,
      hasMeter: tap.meter !== null,
      hasHeldPour: heldTaps().has(tap.id),
    });
}
