import type { ActorContext } from '../../../engine/shared/actor-context.ts';
import type { SetAsidePours } from '../../../engine/shared/recording-hooks.ts';
import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';
import { cleaningReason, withCleanings } from '../store/cleaning-store.ts';
import { recomputeLostBeer } from './cleaning-beer.ts';
import { followPours } from './cleaning-entries.ts';

/** What becomes of what flowed in cleanings: the beer among it is booked anew, and the log follows. */
export function cleaningPours(base: Store): SetAsidePours {
  const store = withCleanings(base);
  return {
    reason: cleaningReason,
    kegIds(drinkId: number): readonly number[] {
      const id = store.cleaningPours.cleaningOf(drinkId);
      const kegId = id === null ? null : store.cleanings.byId(id)!.kegId;
      return kegId === null ? [] : [kegId];
    },
    kept(drinkId: number, context: ActorContext): void {
      const id = store.cleaningPours.cleaningOf(drinkId)!;
      store.cleaningPours.remove(drinkId);
      recomputeLostBeer(store, id);
      followPours(store, id, context);
    },
    restored(rows: readonly Row[]) {
      const ids = new Set(rows.map((row) => Number(row.cleaning_id)));
      for (const id of ids) recomputeLostBeer(store, id);
      return (context: ActorContext) => {
        for (const id of ids) followPours(store, id, context);
      };
    },
  };
}
