import type { Moment } from '../../../core/clock/moment.ts';
import { updateKegEvidence } from '../../../engine/kegs/keg-evidence.ts';
import { followCount } from '../../../engine/kegs/placement/series.ts';
import { type CleaningParts, divideCleaning } from '../core/cleaning-parts.ts';
import type { CleaningPour } from '../store/cleaning-pours-table.ts';
import type { CleaningDatabase } from '../store/cleaning-store.ts';
import type { Cleaning } from '../store/cleanings-table.ts';

/**
 * What flowed during a cleaning, by what it was. A stated volume of beer is not more than was stated, whatever flowed; there is none of a
 * cleaning that was entered afterwards and withdrawn.
 */
export function readParts(
  store: CleaningDatabase,
  cleaning: Cleaning,
  pours: readonly CleaningPour[] = store.cleaningPours.of(cleaning.id),
): CleaningParts {
  const steps = store.cleanings.steps(cleaning.id);
  const parts = divideCleaning({ ...cleaning, pours, steps });
  if (cleaning.origin === 'manual' && store.cleaningEntries.of(cleaning.id)[0]?.isWithdrawn)
    return { ...parts, beerMl: 0 };
  return cleaning.beerGivenMl === null ? parts : { ...parts, beerMl: cleaning.beerGivenMl };
}

/**
 * Books the beer that the cleaning lost as the spill of its keg, after its pours have changed. Call it in the transaction of a
 * correction, which follows the counts of its kegs afterwards.
 */
export function recomputeLostBeer(store: CleaningDatabase, cleaningId: number): void {
  const cleaning = store.cleanings.byId(cleaningId)!;
  const pours = store.cleaningPours.of(cleaningId);
  const { beerMl } = readParts(store, cleaning, pours);
  const { tapId, kegId } = cleaning;
  if (beerMl > 0) {
    const allMl = pours.reduce((sum, { volumeMl }) => sum + volumeMl, 0);
    const allTicks = pours.reduce((sum, { ticks }) => sum + ticks, 0);
    store.cleaningPours.setLost({
      cleaningId,
      tapId,
      kegId,
      volumeMl: beerMl,
      // Its share of what the meter counted.
      ticks: allMl === 0 ? 0 : Math.round(allTicks * Math.min(1, beerMl / allMl)),
      timeMs: pours.at(-1)?.timeMs ?? cleaning.startedMs,
      meter: pours.at(-1)?.meter ?? null,
    });
  } else store.cleaningPours.removeLost(cleaningId);
  if (kegId === null) return;
  store.kegs.recomputeSpilled(kegId);
  updateKegEvidence(store, kegId);
}

/** Books the beer that the cleaning lost, and ends its keg of a series at once if that emptied it. Call it in a transaction. */
export function bookLostBeer(store: CleaningDatabase, cleaningId: number, now: Moment): void {
  recomputeLostBeer(store, cleaningId);
  const { kegId } = store.cleanings.byId(cleaningId)!;
  if (kegId !== null) followCount(store, kegId, now);
}
