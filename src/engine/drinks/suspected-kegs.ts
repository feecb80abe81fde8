import type { Drink } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import type { SuspectedEmptyKeg } from '../../store/taps/empty-kegs-table.ts';
import { findKegAt } from '../kegs/placement/keg-spans.ts';

/** Asks staff whether the keg on tap is empty if gas came out of it with that pour. Does nothing for other pours. */
export function suspectEmptyKeg(store: Store, drink: Drink): void {
  const { id: firstDrinkId, tapId, heldReason, isValid, gasTicks, pourTimeMs: timeMs } = drink;
  const kegId = tapId === null ? null : (store.taps.byId(tapId)?.kegId ?? null);
  if (tapId === null || kegId === null) return;
  const isItsGas =
    isValid && gasTicks > 0 ? drink.kegId === kegId : heldReason === 'gas' && kegThen(store, drink) === kegId;
  if (isItsGas) store.taps.emptyKegs.set({ tapId, kegId, firstDrinkId, timeMs });
}

/** Asks again after an undo, if the gas of these pours came out of the keg that is on tap. */
export function suspectAgain(store: Store, drinkIds: readonly number[]): void {
  for (const id of drinkIds.toSorted((a, b) => a - b)) {
    const drink = store.drinks.byId(id);
    if (drink === null || drink.tapId === null) continue;
    const kegId = drink.isValid ? drink.kegId : kegThen(store, drink);
    if (kegId !== null && kegId === store.taps.byId(drink.tapId)?.kegId) suspectEmptyKeg(store, drink);
  }
}

/** The keg that was on the tap when a held pour ended. */
const kegThen = (store: Store, { id, tapId }: Drink): number | null =>
  tapId === null ? null : findKegAt(store, tapId, store.drinks.flowEnd(id));

/** The pours that led to the question, and those since: drinks with gas, and pours held as gas at the taps of the keg. */
export function findGasPours(store: Store, { kegId, firstDrinkId }: SuspectedEmptyKeg) {
  return {
    drinkIds: store.drinks.withGas(kegId, firstDrinkId),
    heldIds: store.taps.ofKeg(kegId).flatMap(({ tapId }) => store.drinks.heldAsGas(tapId, firstDrinkId)),
  };
}

/** Ends the question once staff have said of every pour that led to it that it was beer. Call it in a transaction. */
export function answerByPours(store: Store, tapId: number | null): void {
  const suspected = store.taps.emptyKegs.all().find((one) => one.tapId === tapId);
  if (suspected === undefined) return;
  const { drinkIds, heldIds } = findGasPours(store, suspected);
  if (drinkIds.length + heldIds.length === 0) store.taps.emptyKegs.remove(suspected.tapId);
}
