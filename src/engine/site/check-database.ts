import type { TotalCheck } from '../../store/site/stored-totals.ts';
import type { Store } from '../../store/store.ts';

/** A stored total that differs from its sum. */
type TotalMismatch = TotalCheck;

/** Sums of many volumes round differently in another order; a difference below this is not an error. */
const toleranceMl = 1e-3;

/**
 * Compares stored totals with their sums; an empty list means that all agree. Reads the whole database
 * without blocking writers.
 */
export function checkDatabase(store: Store): readonly TotalMismatch[] {
  return store.snapshot(() => [
    ...store.totalChecks
      .mustEqual()
      .filter(({ stored, computed }) => Math.abs(stored - computed) > toleranceMl),
    ...store.totalChecks.mustReach().filter(({ stored, computed }) => stored < computed),
  ]);
}
