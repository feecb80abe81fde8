import type { LiveTap } from '../../http/live/shapes.ts';
import { locale } from '../words/say.ts';
import { formatQuantity, type Units, volume } from './format.ts';

/** A price in two parts, so that the sum can be shown larger than the serving. */
export interface FormattedPrice {
  readonly sum: string;
  readonly serving: string;
}

/** Formats the price of a serving in the site's currency. */
export function formatPrice(
  { price, serving_ml: servingMl, currency }: NonNullable<LiveTap['price']>,
  units: Units,
): FormattedPrice {
  return { sum: formatMoney(price, currency), serving: formatQuantity(volume(servingMl, units)) };
}

/** Formats a sum of money; a currency unknown to the browser is shown as its code. */
export function formatMoney(sum: number, currency: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(sum);
  } catch {
    return `${sum.toFixed(2)} ${currency}`;
  }
}
