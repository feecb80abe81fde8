import type { Store } from '../store/store.ts';
import type { TotalCheck } from '../store/stored-totals.ts';

/** A difference between a kept total and the sum it stands for. */
export type TotalMismatch = TotalCheck;

/** Sums of many volumes round differently in another order; a drop of a thousandth is no fault. */
const toleranceMl = 1e-3;

/** Changed drinks that statistics settle in one transaction. */
const batchSize = 512;

/**
 * Proves the kept totals equal to their sums; an empty list is the good answer. Reads the whole ledger,
 * and keeps nobody from writing meanwhile.
 */
export function checkDatabase(store: Store): readonly TotalMismatch[] {
  // What has changed since it was added up would prove nothing.
  while (store.statistics.isStale()) store.transaction(() => store.statistics.addPending(batchSize));
  return store.snapshot(() => [
    ...store.totalChecks
      .mustEqual()
      .filter(({ stored, computed }) => Math.abs(stored - computed) > toleranceMl),
    ...store.totalChecks.mustReach().filter(({ stored, computed }) => stored < computed),
  ]);
}
