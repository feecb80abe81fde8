import type { Store } from '../../store/store.ts';

/** Asks staff whether the keg on that tap is empty. */
export function suspectEmptyKeg(store: Store, tapId: number | null, timeMs: number): void {
  const kegId = tapId === null ? null : store.taps.byId(tapId)!.kegId;
  if (tapId !== null && kegId !== null) store.emptyKegs.set({ tapId, kegId, timeMs });
}

/** Ends the question once staff have said of every pour that led to it that it was beer. Call it in a transaction. */
export function answerByPours(store: Store, tapId: number | null): void {
  const suspected = store.emptyKegs.all().find((one) => one.tapId === tapId);
  if (suspected === undefined) return;
  const isGasLeft =
    store.drinks.withGas(suspected.kegId, suspected.timeMs).length > 0 ||
    store.drinks.heldAsGas(suspected.tapId, suspected.timeMs).length > 0;
  if (!isGasLeft) store.emptyKegs.remove(suspected.tapId);
}
