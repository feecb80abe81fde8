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
  const sum = (toNumber: (line: StockCountLine) => number) =>
    lines.reduce((total, line) => total + toNumber(line), 0);
  return {
    missing: sum(({ expected, counted }) => Math.max(0, expected - counted)),
    found: sum(({ expected, counted }) => Math.max(0, counted - expected)),
    valueMinor: sum(({ valueMinor }) => valueMinor ?? 0),
    withoutValue: sum(({ expected, counted, valueMinor }) =>
      valueMinor === null ? Math.abs(counted - expected) : 0,
    ),
  };
}
