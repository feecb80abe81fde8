import type { Tap } from '../../core/records.ts';
import { type RestingTapState, restingTapState } from '../../core/rules/tap-state.ts';
import type { Store } from '../../store/store.ts';
import { mayHoldCleaner, runningCleaning } from './cleaning/find-cleaning.ts';

export type FindTapState = (tap: Tap) => RestingTapState;

/** Gathers what decides on the state of a tap. A pour reads one row for all taps. */
export function createTapStates(store: Store): FindTapState {
  const heldTaps = store.cachedUntilWrite(() => new Set(store.drinks.heldTapIds()));
  const blocked = store.cachedUntilChange(() => new Map<number, boolean>());
  const isBlocked = (tapId: number): boolean => {
    const known = blocked();
    const found = known.get(tapId) ?? mayHoldCleaner(store, tapId);
    known.set(tapId, found);
    return found;
  };
  return (tap) =>
    restingTapState({
      isCleaning: runningCleaning(store, tap.id) !== null,
      isBlocked: isBlocked(tap.id),
      hasKeg: tap.kegId !== null,
      hasMeter: tap.meter !== null,
      hasHeldPour: heldTaps().has(tap.id),
    });
}
