import type { Drink } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { SuspectedEmptyKeg } from '../../store/taps/empty-kegs-table.ts';

/** Asks staff whether the keg is empty from whose tap gas came with that pour. Does nothing for other pours. */
export function suspectEmptyKeg(store: Store, drink: Drink): void {
  const { tapId, heldReason, isValid, gasTicks } = drink;
  const isGas = heldReason === 'gas' || (isValid && gasTicks > 0);
  const kegId = tapId === null || !isGas ? null : store.taps.byId(tapId)!.kegId;
  if (tapId !== null && kegId !== null)
    store.emptyKegs.set({ tapId, kegId, firstDrinkId: drink.id, timeMs: drink.pourTimeMs });
}

/** The pours that led to the question, and those since: drinks with gas, and pours held as gas at the taps of the keg. */
export function findGasPours(store: Store, { kegId, firstDrinkId }: SuspectedEmptyKeg) {
  return {
    drinkIds: store.drinks.withGas(kegId, firstDrinkId),
    heldIds: store.taps.ofKeg(kegId).flatMap(({ tapId }) => store.drinks.heldAsGas(tapId, firstDrinkId)),
  };
}

/** Ends the question once staff have said of every pour that led to it that it was beer. Call it in a transaction. */
export function answerByPours(store: Store, tapId: number | null): void {
  const suspected = store.emptyKegs.all().find((one) => one.tapId === tapId);
  if (suspected === undefined) return;
  const { drinkIds, heldIds } = findGasPours(store, suspected);
  if (drinkIds.length + heldIds.length === 0) store.emptyKegs.remove(suspected.tapId);
}
