import type { UnmappedProduct } from '../../core/balance/finding.ts';
import { isDraughtCategory } from '../../core/propose-product.ts';
import type { SalesDatabase } from '../../store/sales-store.ts';
import { proposeComponents } from '../propose-components.ts';

/** Most products that are listed. */
const maxProducts = 20;

/** Products with lines in a span that nobody has mapped. */
export interface Unmapped {
  /** Those whose name or category says draught beer, or all where none is mapped; that with most lines first. */
  readonly products: readonly UnmappedProduct[];
  /** Number of all others: food, and what nobody can tell. */
  readonly others: number;
}

export function readUnmapped(
  store: SalesDatabase,
  span: { readonly sinceMs: number; readonly untilMs: number },
  isAnyMapped: boolean,
): Unmapped {
  const totals = store.sold.unmapped(span);
  if (totals.length === 0) return { products: [], others: 0 };
  const propose = proposeComponents(store);
  const sizes = new Map(store.kegs.servingSizes.all().map(({ id, volumeMl }) => [id, volumeMl]));
  const products = totals
    .flatMap(({ itemId, lines, quantity, netMinor }): UnmappedProduct[] => {
      const item = store.tillItems.byId(itemId);
      if (item === null) return [];
      const component = propose(item)?.[0] ?? null;
      if (
        isAnyMapped &&
        component === null &&
        !isDraughtCategory(item.category) &&
        !isDraughtCategory(item.name)
      )
        return [];
      const liquidMl =
        component === null || component.sizeId === null ? undefined : sizes.get(component.sizeId);
      return [
        {
          itemId,
          lines,
          quantity,
          netMinor: Math.round(netMinor),
          beverageId: component?.beverageId ?? null,
          liquidMl: liquidMl ?? null,
        },
      ];
    })
    .sort((one, other) => other.lines - one.lines)
    .slice(0, maxProducts);
  return { products, others: totals.length - products.length };
}
