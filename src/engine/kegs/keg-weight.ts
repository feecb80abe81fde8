import { type KegDensity, toKegDensity } from '../../core/kegs/keg-density.ts';
import type { KegWeighing } from '../../core/kegs/keg-weighing.ts';
import { type EmptyWeight, stampedEmptyWeight, usualEmptyWeight } from '../../core/kegs/keg-weight.ts';
import { coverage } from '../../core/measurement/uncertainty.ts';
import type { Keg, KegSize, StoredWeighing } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';

export const findKegSize = (store: Store, { sizeId }: Pick<Keg, 'sizeId'>): KegSize | null =>
  store.kegs.sizes().find(({ id }) => id === sizeId) ?? null;

/** Mass that a keg loses per litre of its beer. */
export const findKegDensity = (store: Store, keg: Keg | null): KegDensity =>
  toKegDensity(keg === null ? null : (store.kegs.beverages.byId(keg.beverageId)?.specificGravity ?? null));

/** Weight of the empty keg: as stamped, else that of its size; null where it is not known. */
export function findEmptyWeight(store: Store, keg: Keg, stampedG: number | null): EmptyWeight | null {
  if (stampedG !== null) return stampedEmptyWeight(stampedG);
  return usualEmptyWeight(findKegSize(store, keg)?.key ?? '');
}

/** A weighing with what is known of the keg; null where its size was changed to one without an empty weight. */
export function toKegWeighing(
  store: Store,
  keg: Keg,
  { timeMs, weightG, emptyWeightG, balanceG }: Omit<StoredWeighing, 'id' | 'kegId' | 'userId'>,
): { readonly timeMs: number; readonly weighing: KegWeighing } | null {
  const empty = findEmptyWeight(store, keg, emptyWeightG);
  if (empty === null) return null;
  const innerMl = Math.max(keg.fullVolumeMl, findKegSize(store, keg)?.volumeMl ?? 0);
  const weighing = {
    weightG,
    emptyWeightG: empty.weightG,
    uEmptyWeightG: empty.uG,
    uBalanceG: balanceG / coverage,
    innerMl,
  };
  return { timeMs, weighing };
}
