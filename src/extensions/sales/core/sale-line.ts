/** Kinds of lines of a till. */
export const saleKinds = [
  'sale',
  'void', // rung up and taken back before it was poured: it un-sells. Negative and positive quantities as for a refund
  'refund', // money given back; the beer was poured. With a negative quantity it is a line of its own, else it marks the line
  'comp', // poured for a guest without payment
  'staff', // poured for staff
  'sample', // poured to taste
  'training', // entered to practise; nothing was poured
] as const;
export type SaleKind = (typeof saleKinds)[number];

/** A line of a till. */
export interface SaleLine {
  /** Identifies the line at its till; empty where the till has no such number. */
  readonly externalId: string;
  readonly checkId: string;
  /** Unix milliseconds. */
  readonly timeMs: number;
  /** The time as the till wrote it, for the key of the line: what it means may be corrected later. */
  readonly writtenTime: string;
  /** PLU or SKU, else the name. */
  readonly itemKey: string;
  readonly itemName: string;
  readonly variant: string;
  readonly category: string;
  readonly kind: SaleKind;
  /** Negative: a line that takes back an earlier one. */
  readonly quantity: number;
  /** In the smallest unit of the currency; null: the till does not say. */
  readonly grossMinor: number | null;
  readonly discountMinor: number | null;
  readonly netMinor: number | null;
  /** Who rang it up; absent where that is not known. Kept only while figures by person are on. */
  readonly seller?: string;
}

/** Bounds of a line. */
export const maxQuantity = 10_000;
export const maxAmountMinor = 1_000_000_000_000;
export const maxItemText = 128;
export const maxIdText = 128;

/**
 * What identifies a line at its till; `ordinal` counts lines that are equal in all of it, from 0. A line that takes back another one
 * of the same time is never taken for that one, in whatever order a file has them.
 */
export const toLineIdentity = (
  { externalId, checkId, itemKey, variant, writtenTime, quantity }: SaleLine,
  ordinal: number,
): readonly unknown[] =>
  externalId === ''
    ? ['line', checkId, itemKey, variant, writtenTime, quantity < 0, ordinal]
    : ['id', externalId];
