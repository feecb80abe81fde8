import type { Row } from '../../../store/drinks/rows-table.ts';
import type { Store } from '../../../store/store.ts';
import type { ActorContext } from '../../shared/actor-context.ts';
import { recomputeLostBeer } from '../../taps/cleaning/cleaning-beer.ts';
import { followPours } from '../../taps/cleaning/cleaning-entries.ts';

/** Updates what follows from the pours of cleanings, after they were changed; call it in the transaction. */
export function followCleanings(store: Store, cleaningIds: Iterable<number>, context: ActorContext): void {
  for (const id of cleaningIds) {
    recomputeLostBeer(store, id);
    followPours(store, id, context);
  }
}

/** The cleanings of these rows of drinks. */
export const cleaningsOf = (rows: readonly Row[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ cleaning_id: id }) => (id === undefined || id === null ? [] : [Number(id)])));
