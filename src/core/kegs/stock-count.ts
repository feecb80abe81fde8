/** Why kegs are missing or were found, as staff say. */
export const countReasons = ['unknown', 'returned', 'spoiled', 'given_away', 'not_recorded'] as const;

export type CountReason = (typeof countReasons)[number];

/** Kegs of one kind, and kinds in one count. */
export const maxCountedKegs = 1_000;
export const maxCountLines = 500;
export const maxCountNote = 1_000;

/** Kegs in stock that are alike: they are counted together. */
export interface KegKind {
  readonly beverageId: number;
  readonly sizeId: number;
  readonly fullVolumeMl: number;
}

export const kindKey = ({ beverageId, sizeId, fullVolumeMl }: KegKind): string =>
  `${beverageId}/${sizeId}/${fullVolumeMl}`;

/** Kegs of one kind at a count. The names are those of that time. */
export interface StockCountLine {
  /** Null after the beverage was deleted. */
  readonly beverageId: number | null;
  readonly beverage: string;
  readonly size: string;
  readonly fullVolumeMl: number;
  /** Kegs that were in stock by the records. */
  readonly expected: number;
  readonly counted: number;
  /** Null where both agree. */
  readonly reason: CountReason | null;
  /** Cost of the difference in the smallest unit of the currency, negative for missing kegs; null where it is not known. */
  readonly valueMinor: number | null;
}

/** A count of the kegs in stock. */
export interface StockCount {
  readonly id: number;
  readonly timeMs: number;
  /** Null for a key without a user, and a deleted account. */
  readonly username: string | null;
  readonly note: string;
  /** Whether missing kegs were ended and found ones added. */
  readonly isAdjusted: boolean;
  readonly lines: readonly StockCountLine[];
}

/** Kegs too many and too few, and what they cost; kegs without a known cost are counted apart. */
export function sumDifferences(lines: readonly StockCountLine[]) {
  const differing = lines.filter(({ expected, counted }) => counted !== expected);
  const kegs = (some: readonly StockCountLine[]) =>
    some.reduce((sum, { expected, counted }) => sum + Math.abs(counted - expected), 0);
  return {
    missing: kegs(differing.filter(({ expected, counted }) => counted < expected)),
    found: kegs(differing.filter(({ expected, counted }) => counted > expected)),
    valueMinor: differing.reduce((sum, { valueMinor }) => sum + (valueMinor ?? 0), 0),
    withoutValue: kegs(differing.filter(({ valueMinor }) => valueMinor === null)),
  };
}
