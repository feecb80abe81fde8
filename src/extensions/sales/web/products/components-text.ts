import { formatServing, type Units } from '../../../../web/app/format.ts';
import { servingText } from '../../../../web/app/serving-sizes.ts';
import { t } from '../../../../web/locales/locale.ts';
import type { Component, Size } from '../sales-data.ts';

export interface NamedBeverage {
  readonly id: string;
  readonly name: string;
}

/** What components name. */
export interface Known {
  readonly beverages: readonly NamedBeverage[];
  readonly sizes: readonly Size[];
  readonly units: Units;
}

/** What a product contains, as text. */
export function componentsText(components: readonly Component[], known: Known): string {
  if (components.length === 0) return t('sales.containsNone');
  return components
    .map((component) => {
      const size = known.sizes.find(({ id }) => id === component.serving_size_id);
      const serving =
        size === undefined
          ? formatServing(component.liquid_ml ?? 0, known.units)
          : servingText(size, known.units);
      const beer = known.beverages.find(({ id }) => id === component.beverage_id)?.name ?? '?';
      return component.count === 1 ? `${beer} ${serving}` : `${component.count} × ${beer} ${serving}`;
    })
    .join(' + ');
}
