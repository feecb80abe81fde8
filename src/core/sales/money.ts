/** What one keg gave in a span. */
export interface KegMoney {
  readonly beverageId: number;
  /** Cost of a full keg by its volume, smallest units of the currency per millilitre; null: not known. */
  readonly costPerMl: number | null;
  readonly pouredMl: number;
  readonly spilledMl: number;
  /** At the prices of the time; null where none was set. */
  readonly revenueMinor: number | null;
}

/** What tills sold of a beverage in a span. */
export interface TillMoney {
  readonly beverageId: number;
  readonly netMinor: number;
}

/** Income and cost; whole units of the smallest unit of the currency. */
export interface Money {
  readonly pouredMl: number;
  readonly spilledMl: number;
  /** What tills sold; where no till sold any of it, what was poured at the prices of the time. Null: neither is known. */
  readonly incomeMinor: number | null;
  /** Of what was poured from kegs with a known cost; null where none has one. */
  readonly costMinor: number | null;
  /** Poured from kegs without a known cost. */
  readonly uncostedMl: number;
  /** Cost of what was spilled and lost by cleaning; null where it is not known. */
  readonly wasteMinor: number | null;
}

export interface BeverageMoney extends Money {
  readonly beverageId: number;
  /** Where its income is from; null without one. */
  readonly incomeFrom: 'till' | 'prices' | null;
}

/** Income and cost of each beverage, by id. */
export function computeMoney(
  kegs: readonly KegMoney[],
  sold: readonly TillMoney[],
): readonly BeverageMoney[] {
  const net = new Map(sold.map(({ beverageId, netMinor }) => [beverageId, netMinor]));
  const ids = [...new Set([...kegs.map(({ beverageId }) => beverageId), ...net.keys()])];
  return ids
    .sort((one, other) => one - other)
    .map((beverageId) => {
      const own = kegs.filter((keg) => keg.beverageId === beverageId);
      const priced = own.flatMap(({ revenueMinor }) => (revenueMinor === null ? [] : [revenueMinor]));
      const tillMinor = net.get(beverageId);
      const atPrices = priced.length === 0 ? null : Math.round(total(priced));
      const costed = own.filter(({ costPerMl }) => costPerMl !== null);
      const cost = (of: (keg: KegMoney) => number) =>
        costed.length === 0 ? null : Math.round(total(costed.map((keg) => of(keg) * keg.costPerMl!)));
      return {
        beverageId,
        incomeFrom: tillMinor !== undefined ? 'till' : atPrices === null ? null : 'prices',
        pouredMl: total(own.map(({ pouredMl }) => pouredMl)),
        spilledMl: total(own.map(({ spilledMl }) => spilledMl)),
        incomeMinor: tillMinor === undefined ? atPrices : Math.round(tillMinor),
        costMinor: cost(({ pouredMl }) => pouredMl),
        uncostedMl: total(own.filter(({ costPerMl }) => costPerMl === null).map(({ pouredMl }) => pouredMl)),
        wasteMinor: cost(({ spilledMl }) => spilledMl),
      };
    });
}

/** The sum of all beverages. */
export function addMoney(parts: readonly Money[]): Money {
  const known = (of: (part: Money) => number | null) => {
    const values = parts.flatMap((part) => of(part) ?? []);
    return values.length === 0 ? null : total(values);
  };
  return {
    pouredMl: total(parts.map(({ pouredMl }) => pouredMl)),
    spilledMl: total(parts.map(({ spilledMl }) => spilledMl)),
    incomeMinor: known(({ incomeMinor }) => incomeMinor),
    costMinor: known(({ costMinor }) => costMinor),
    uncostedMl: total(parts.map(({ uncostedMl }) => uncostedMl)),
    wasteMinor: known(({ wasteMinor }) => wasteMinor),
  };
}

/**
 * Income less the cost of what was poured and spilled; null while a cost or the income is not known, or some of the beer has no
 * known cost.
 */
export const marginMinor = ({ incomeMinor, costMinor, wasteMinor, uncostedMl }: Money): number | null =>
  incomeMinor === null || costMinor === null || uncostedMl > 0
    ? null
    : incomeMinor - costMinor - (wasteMinor ?? 0);

/** Cost of what was poured, as a share of the income; null where the margin is not known, or without income. */
export const pourCost = (money: Money): number | null =>
  marginMinor(money) === null || money.incomeMinor! <= 0 ? null : money.costMinor! / money.incomeMinor!;

/** What a serving costs and earns. */
export interface ServingMoney {
  readonly priceMinor: number;
  /** Price without tax; the price itself where no tax is known. */
  readonly netPriceMinor: number;
  readonly costMinor: number | null;
  readonly marginMinor: number | null;
}

/** Margin of a serving at its present price. `taxBasisPoints` is the tax that is included, in hundredths of a percent. */
export function servingMoney({
  priceMinor,
  taxBasisPoints,
  liquidMl,
  costPerMl,
}: {
  readonly priceMinor: number;
  readonly taxBasisPoints: number | null;
  readonly liquidMl: number;
  readonly costPerMl: number | null;
}): ServingMoney {
  const netPriceMinor = Math.round(priceMinor / (1 + (taxBasisPoints ?? 0) / 10_000));
  const costMinor = costPerMl === null ? null : Math.round(liquidMl * costPerMl);
  return {
    priceMinor,
    netPriceMinor,
    costMinor,
    marginMinor: costMinor === null ? null : netPriceMinor - costMinor,
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
