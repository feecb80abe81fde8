import type { Store } from '../../store/store.ts';
import type { ServingPrice, TapPrice } from './views.ts';

/** The prices at a tap: those of its beverage, by the sizes that the tap offers. */
export function pricesAtTap(
  store: Store,
  tapId: number,
  beverageId: number | null,
): { readonly price: TapPrice | null; readonly prices: readonly ServingPrice[] } {
  const { currency } = store.reports.settings();
  const offered = store.taps.servingSizes.byTap(tapId);
  const own = (beverageId === null ? [] : store.kegs.priceLists.current(beverageId)).filter(
    ({ sizeId }) => offered.length === 0 || offered.includes(sizeId),
  );
  const [first] = own;
  if (first === undefined) return { price: null, prices: [] };
  const sizes = new Map(store.kegs.servingSizes.all().map((size) => [size.id, size]));
  return {
    price: { servingMl: first.volumeMl, priceMinor: first.priceMinor, currency },
    prices: own.map(({ sizeId, priceMinor }) => {
      const { volumeMl, name, names } = sizes.get(sizeId)!;
      return { sizeId, volumeMl, name, names, priceMinor, currency };
    }),
  };
}
