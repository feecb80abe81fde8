import type { Beverage, Drink, Keg, Session, Tap, ThermoLog, User } from '../core/records.ts';

/** A tap is named by its id or by its meter's full name, on every door. */
export type TapRef = number | string;

/** A tap with what hangs on it, as every face shows it. */
export interface TapView {
  readonly tap: Tap;
  readonly keg: Keg | null;
  readonly beverage: Beverage | null;
  readonly lastTemp: ThermoLog | null;
  /** What comes next on it, where somebody has said so. */
  readonly next: { readonly keg: Keg | null; readonly beverage: Beverage } | null;
  readonly price: TapPrice | null;
}

/** What a serving costs at a tap. */
export interface TapPrice {
  readonly servingMl: number;
  /** Hundredths of the currency. */
  readonly cents: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A drink with the objects it belongs to. */
export interface DrinkView {
  readonly drink: Drink;
  readonly keg: Keg | null;
  readonly user: User | null;
  readonly session: Session | null;
}

/** A page of a list: ids descending from `start`. */
export interface Page<T> {
  readonly total: number;
  readonly limit: number;
  /** The `start` asked for, else 0. */
  readonly pos: number;
  readonly items: readonly T[];
}

/** Which page of a list: from which id downwards, and how many. */
export interface PageRequest {
  /** First id to show; 0 and absent begin at the newest. */
  readonly start?: number;
  /** 1 to 1000, default 100. */
  readonly limit?: number;
}
