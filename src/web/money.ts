import type { LiveTap } from '../http/live/shapes.ts';
import { formatQuantity, type Units, volume } from './format.ts';
import { locale } from './words/say.ts';

/** What a serving costs, in two parts, so that the sum can be set larger than the glass. */
export interface FormattedPrice {
  readonly sum: string;
  readonly serving: string;
}

/** A price as a board shows it: the sum in the house's currency, and the glass it buys. */
export function formatPrice(
  { price, serving_ml: servingMl, currency }: NonNullable<LiveTap['price']>,
  units: Units,
): FormattedPrice {
  return { sum: formatMoney(price, currency), serving: formatQuantity(volume(servingMl, units)) };
}

/** A sum of money; a currency this browser does not know is written by its code. */
export function formatMoney(sum: number, currency: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(sum);
  } catch {
    return `${sum.toFixed(2)} ${currency}`;
  }
}
