import { daysBetween } from './keg-stock.ts';

/** How a beverage is used, and what is left of it. */
export interface BeverageUse {
  /** Poured and spilled a day, mean of the last weeks, millilitres. */
  readonly dailyMl: number;
  /** In kegs on tap and in stock. */
  readonly leftMl: number;
  /** Volume of the keg that is ordered. */
  readonly kegMl: number;
}

/** When to order a beverage. Days are `YYYY-MM-DD`. */
export interface Reorder {
  /** The day on which the last keg runs out at this rate. */
  readonly runsOutOn: string;
  /** The latest day to order, not before today; null when there is enough. */
  readonly orderBy: string | null;
  /** Kegs that are missing until the delivery after the next one; 0 when there is enough. */
  readonly orderKegs: number;
}

/** Days from the order to the delivery, and between two orders: a bar orders once a week (proposal; no source). */
export const leadDays = 3;
export const reviewDays = 7;
/** Weeks that say how much is used. */
export const useDays = 28;
/** A later end says nothing: the rate changes with the season. */
const maxDays = 366;

/** Proposes an order: as much as is used until the delivery after the next one, less what is left. Null for a beverage that is not used. */
export function proposeOrder({ dailyMl, leftMl, kegMl }: BeverageUse, today: string): Reorder | null {
  if (!(dailyMl > 0) || !(kegMl > 0)) return null;
  const days = Math.floor(Math.max(0, leftMl) / dailyMl);
  if (days > maxDays) return null;
  const runsOutOn = addDate(today, days);
  const neededMl = dailyMl * (leadDays + reviewDays);
  const orderKegs = Math.max(0, Math.ceil((neededMl - leftMl) / kegMl));
  if (orderKegs === 0) return { runsOutOn, orderBy: null, orderKegs };
  const orderBy = addDate(runsOutOn, -leadDays);
  return { runsOutOn, orderBy: daysBetween(today, orderBy) < 0 ? today : orderBy, orderKegs };
}

const addDate = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
