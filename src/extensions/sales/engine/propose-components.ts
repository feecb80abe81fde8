import { newestRows } from '../../../store/shared/slice.ts';
import { createProductFinder } from '../core/propose-product.ts';
import type { SalesDatabase } from '../store/sales-store.ts';
import type { RequestedComponent } from './sales-bounds.ts';

/** Beverages that are looked through, newest first. */
const maxBeverages = 2_000;

/** Returns a function that proposes what a product contains, by its texts; null when they name no beverage and size. */
export function proposeComponents(store: SalesDatabase) {
  const beverages = store.kegs.beverages
    .page(newestRows(maxBeverages))
    .map(({ id, name, producer }) => ({ id, name, producer: producer.name }));
  const sizes = store.kegs.servingSizes.all().map(({ id, volumeMl, name, names }) => ({
    id,
    volumeMl,
    names: [name, ...Object.values(names)].filter((one) => one !== ''),
  }));
  const { volumeUnits: units, locale } = store.site.read();
  const decimal = new Intl.NumberFormat(locale || 'en').format(1.5).includes(',') ? ',' : '.';
  const find = createProductFinder({ beverages, sizes }, { mlPerUnit: 1_000, decimal, units });
  return (item: {
    readonly name: string;
    readonly variant: string;
    readonly category: string;
  }): readonly RequestedComponent[] | null => {
    const { beverageId, sizeId } = find(item);
    if (beverageId === null || sizeId === null) return null;
    return [{ beverageId, sizeId, count: 1, liquidMl: null }];
  };
}
