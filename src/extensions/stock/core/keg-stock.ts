import { maxPriceMinor } from '../../../core/kegs/money.ts';

/** What a bar knows of a keg from its delivery. Days are `YYYY-MM-DD`. */
export interface KegPurchase {
  readonly supplier: string;
  readonly batch: string;
  /** Text of the barcode or QR code on it. */
  readonly code: string;
  /** Where it stands: `Cellar 2`. */
  readonly location: string;
  readonly receivedOn: string | null;
  /** Day on which it was filled. */
  readonly bornOn: string | null;
  readonly bestBefore: string | null;
  /** Without tax and deposit, in the smallest unit of the currency. */
  readonly costMinor: number | null;
  readonly depositMinor: number | null;
  /** The day on which the empty keg went back. */
  readonly depositReturnedOn: string | null;
}

export const noPurchase: KegPurchase = {
  supplier: '',
  batch: '',
  code: '',
  location: '',
  receivedOn: null,
  bornOn: null,
  bestBefore: null,
  costMinor: null,
  depositMinor: null,
  depositReturnedOn: null,
};

export const maxPurchaseText = 64;
export const maxPurchaseMinor = maxPriceMinor;
/** Kegs of one delivery that are entered together. */
export const maxDelivery = 50;

/** Staff are warned so many days before a keg is to be used up. */
export const bestBeforeWarningDays = 7;
/** Pasteurised kegs keep 90 to 120 days after filling, others 45 to 60 (bar-business fact sheet, section 3); for kegs without a date. */
export const oldAfterDays = 90;

export type StockWarning = 'past_best_before' | 'best_before_soon' | 'long_on_tap' | 'old';

/** A keg on a tap, and the limit of the bar; null where there is none. */
interface DaysOnTap {
  readonly daysOnTap: number | null;
  readonly maxDaysOnTap: number | null;
}

/** What staff should know of a keg on a day. */
export function findStockWarning(
  { bornOn, bestBefore }: Pick<KegPurchase, 'bornOn' | 'bestBefore'>,
  today: string,
  { daysOnTap, maxDaysOnTap }: DaysOnTap,
): StockWarning | null {
  const daysLeft = bestBefore === null ? null : daysBetween(today, bestBefore);
  if (daysLeft !== null && daysLeft < 0) return 'past_best_before';
  if (daysOnTap !== null && maxDaysOnTap !== null && daysOnTap > maxDaysOnTap) return 'long_on_tap';
  if (daysLeft !== null) return daysLeft <= bestBeforeWarningDays ? 'best_before_soon' : null;
  return bornOn !== null && daysBetween(bornOn, today) > oldAfterDays ? 'old' : null;
}

/** Orders kegs as they should be used: the earliest best-before day first, then the one that came first. */
export function compareForUse(
  one: Pick<KegPurchase, 'bestBefore' | 'receivedOn'> & { readonly kegId: number },
  other: Pick<KegPurchase, 'bestBefore' | 'receivedOn'> & { readonly kegId: number },
): number {
  return (
    compareDays(one.bestBefore, other.bestBefore) ||
    compareDays(one.receivedOn, other.receivedOn) ||
    one.kegId - other.kegId
  );
}

/** A keg without a day comes last. */
const compareDays = (one: string | null, other: string | null): number =>
  one === other ? 0 : one === null ? 1 : other === null ? -1 : one < other ? -1 : 1;

/** Cost of what is left in a keg, in proportion; whole units. Null where the cost is not known. */
export const costOfRest = (
  costMinor: number | null,
  { leftMl, fullMl }: { readonly leftMl: number; readonly fullMl: number },
): number | null =>
  costMinor === null ? null : Math.round(costMinor * Math.min(1, Math.max(0, leftMl / fullMl)));

/** Whole days from a day to another one; negative when that is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
