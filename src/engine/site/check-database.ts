import type { TotalCheck } from '../../store/site/stored-totals.ts';
import type { Store } from '../../store/store.ts';

/** A stored total that differs from its sum. */
type TotalMismatch = TotalCheck;

/**
 * Compares stored totals with their sums; an empty list means that all agree. Reads the whole database
 * without blocking writers.
 */
export function checkDatabase(store: Store): readonly TotalMismatch[] {
  return store.snapshot(() => [...store.site.totalChecks.unequal(), ...store.site.totalChecks.notReached()]);
}
