import type { Beverage, Drink, Keg, Session, Tap, ThermoLog, User } from '../../core/records.ts';
import type { RestingTapState } from '../../core/taps/tap-state.ts';

/** A tap is identified by its id or its meter's full name, in every API. */
export type TapRef = number | string;

/** A tap with its related objects, for every API. */
export interface TapView {
  readonly tap: Tap;
  /** Its state apart from a flow: views that know of flows combine both by `tapState`. */
  readonly state: RestingTapState;
  readonly keg: Keg | null;
  /** The kegs that follow it, in the order in which they empty. */
  readonly kegsBehind: readonly Keg[];
  /** The other taps of its keg, on a split line. */
  readonly otherTaps: readonly Pick<Tap, 'id' | 'name'>[];
  readonly beverage: Beverage | null;
  readonly lastTemp: ThermoLog | null;
  /** What comes next on it, where announced. */
  readonly next: { readonly keg: Keg | null; readonly beverage: Beverage } | null;
  /** The first of `prices`; null while nobody may drink what comes out of the tap. */
  readonly price: TapPrice | null;
  /** Prices by serving size; none while nobody may drink what comes out of the tap. */
  readonly prices: readonly ServingPrice[];
}

/** Price of a serving at a tap. */
export interface TapPrice {
  readonly servingMl: number;
  /** In the smallest unit of the currency. */
  readonly priceMinor: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** Price of one serving size at a tap. */
export interface ServingPrice {
  readonly sizeId: number;
  readonly volumeMl: number;
  /** Empty: the volume is its name. */
  readonly name: string;
  /** Names in further languages, by language tag. */
  readonly names: Readonly<Record<string, string>>;
  /** In the smallest unit of the currency. */
  readonly priceMinor: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A drink with its related objects. */
export interface DrinkView {
  readonly drink: Drink;
  readonly keg: Keg | null;
  readonly user: User | null;
  readonly session: Session | null;
}

/** A time span, Unix milliseconds; `untilMs` is exclusive. */
export interface TimeSpan {
  readonly sinceMs?: number;
  readonly untilMs?: number;
}
