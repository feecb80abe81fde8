import { crossesLowMark } from '../../../core/kegs/keg-volume.ts';
import type { Store } from '../../../store/store.ts';

/**
 * Gives the event that a keg is nearly empty to the drink that crossed the mark, in the order in which they flowed, after drinks came
 * late or were moved. Nobody is notified again. Call it in a transaction.
 */
export function followLowMark(store: Store, kegId: number): void {
  const keg = store.kegs.byId(kegId);
  const isFollowed = store.taps
    .ofKeg(kegId)
    .some(({ tapId }) => store.taps.byId(tapId)!.kegIdsBehind.length > 0);
  // In a series nobody has to act.
  if (keg === null || keg.inSeries || isFollowed) return;
  const share = store.site.read().kegLowPercent / 100;
  let servedVolumeMl = 0;
  const crossing = store.drinks.inOrder([kegId]).find(({ volumeMl }) => {
    servedVolumeMl += volumeMl;
    return crossesLowMark({ ...keg, servedVolumeMl }, volumeMl, share);
  });
  const known = store.drinks.events.lowDrink(kegId);
  if (known === (crossing?.id ?? null)) return;
  if (known !== null) store.drinks.events.removeLow(known);
  if (crossing === undefined) return;
  const { id: drinkId, pourTimeMs: timeMs } = crossing;
  const sessionId = store.drinks.byId(drinkId)!.sessionId!;
  const userId = store.drinks.userId(drinkId);
  store.drinks.events.add({ kind: 'keg_volume_low', timeMs, drinkId, kegId, sessionId, userId });
}
