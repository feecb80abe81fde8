import type { MeterUncertainty } from '../../../../core/measurement/uncertainty.ts';

/** What one pour adds to a balance. Volumes are whole microlitres, so that sums have no rounding error. */
export interface BalancePour {
  /** End of the pour, Unix milliseconds. */
  readonly timeMs: number;
  readonly durationMs: number;
  /** Null: the tap had no keg. */
  readonly beverageId: number | null;
  readonly tapId: number | null;
  /** What all volumes with the same error come from: a meter, or a board that gave them. Null: people or another system gave them. */
  readonly meter: string | null;
  readonly volumeUl: number;
  /** Beer of the ticks that are known to be missed; not in `volumeUl`. */
  readonly missedUl: number;
  /** What the gas after an empty keg would be as beer; not in `volumeUl`. */
  readonly gasUl: number;
  /** Held pours wait for a decision: their volume is not known to be beer. */
  readonly isHeld: boolean;
  readonly isFoamy: boolean;
}

/** Beer that left the line and is no drink; gas is no beer. */
export interface BalanceLoss {
  readonly kind: 'spilled' | 'cleaning' | 'drips' | 'gas';
  readonly timeMs: number;
  readonly beverageId: number | null;
  readonly tapId: number | null;
  readonly volumeUl: number;
}

/** What a line of the till adds to a balance, one for each beverage in it. */
export interface BalanceSale {
  /** As the till stamps it. */
  readonly timeMs: number;
  readonly beverageId: number;
  /** Sold, or rung up as given away. */
  readonly kind: 'sold' | 'comp' | 'staff' | 'sample';
  /** Beer in one serving, whole microlitres. */
  readonly liquidUl: number;
  /** Negative: taken back before it was poured. */
  readonly servings: number;
  /** After discounts, in the smallest unit of the currency. */
  readonly netMinor: number;
}

/** Everything that a balance is computed from. */
export interface BalanceFacts {
  readonly pours: readonly BalancePour[];
  readonly losses: readonly BalanceLoss[];
  readonly sales: readonly BalanceSale[];
}

/** What is known of where a pour's volume comes from, see `BalancePour.meter`. */
export type FindMeter = (meter: string | null) => MeterUncertainty;

/** A volume with the half width of its 95 % interval. */
export interface UncertainUl {
  readonly volumeUl: number;
  readonly uncertaintyUl: number;
}

export const toUl = (ml: number): number => Math.round(ml * 1_000);
export const fromUl = (ul: number): number => ul / 1_000;

/** Beer of a sale. */
export const saleUl = ({ servings, liquidUl }: Pick<BalanceSale, 'servings' | 'liquidUl'>): number =>
  Math.round(servings * liquidUl);
