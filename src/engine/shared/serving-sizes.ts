import { defaultServingSizes } from '../../core/kegs/serving-sizes.ts';
import type { VolumeUnits } from '../../core/kegs/volume-units.ts';
import type { Store } from '../../store/store.ts';

/** Replaces the default serving sizes by those of other units, unless staff changed the list or a price uses it. */
export function followUnits(store: Store, units: VolumeUnits): void {
  if (!store.kegs.servingSizes.areDefault() || store.kegs.priceLists.beverages().length > 0) return;
  store.kegs.servingSizes.replace(
    defaultServingSizes[units].map((size) => ({ ...size, id: null })),
    true,
  );
}
