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
  /** Without tax; as the till wrote it where it is not known whether it contains tax. */
  readonly netMinor: number;
  readonly isTaxKnown: boolean;
}

/** Income and cost without tax; whole units of the smallest unit of the currency. */
export interface Money {
  readonly pouredMl: number;
  readonly spilledMl: number;
  /** What tills sold; where no till sold any of it, what was poured at the prices of the time. Null: neither is known. */
  readonly incomeMinor: number | null;
  /** False where nobody said whether the amounts of a till contain tax: then some of the income may. */
  readonly isTaxKnown: boolean;
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
  const net = new Map(sold.map((one) => [one.beverageId, one]));
  const ids = [...new Set([...kegs.map(({ beverageId }) => beverageId), ...net.keys()])];
  return ids
    .sort((one, other) => one - other)
    .map((beverageId) => {
      const own = kegs.filter((keg) => keg.beverageId === beverageId);
      const priced = own.flatMap(({ revenueMinor }) => (revenueMinor === null ? [] : [revenueMinor]));
      const till = net.get(beverageId);
      const atPrices = priced.length === 0 ? null : Math.round(total(priced));
      const costed = own.filter(({ costPerMl }) => costPerMl !== null);
      const cost = (of: (keg: KegMoney) => number) =>
        costed.length === 0 ? null : Math.round(total(costed.map((keg) => of(keg) * keg.costPerMl!)));
      return {
        beverageId,
        incomeFrom: till !== undefined ? 'till' : atPrices === null ? null : 'prices',
        pouredMl: total(own.map(({ pouredMl }) => pouredMl)),
        spilledMl: total(own.map(({ spilledMl }) => spilledMl)),
        incomeMinor: till === undefined ? atPrices : Math.round(till.netMinor),
        isTaxKnown: till?.isTaxKnown ?? true,
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
    isTaxKnown: parts.every(({ isTaxKnown }) => isTaxKnown),
    costMinor: known(({ costMinor }) => costMinor),
    uncostedMl: total(parts.map(({ uncostedMl }) => uncostedMl)),
    wasteMinor: known(({ wasteMinor }) => wasteMinor),
  };
}

/**
 * Income less the cost of what was poured and spilled; null while a cost or the income is not known, some of the beer has no
 * known cost, or the income may contain tax.
 */
export const marginMinor = (money: Money): number | null =>
  money.incomeMinor === null || money.costMinor === null || money.uncostedMl > 0 || !money.isTaxKnown
    ? null
    : money.incomeMinor - money.costMinor - (money.wasteMinor ?? 0);

/** Cost of what was poured, as a share of the income; null where the margin is not known, or without income. */
export const pourCost = (money: Money): number | null =>
  marginMinor(money) === null || money.incomeMinor! <= 0 ? null : money.costMinor! / money.incomeMinor!;

/** What a serving costs and earns. */
export interface ServingMoney {
  readonly priceMinor: number;
  /** Price without tax; the price itself where no tax is in it, or none is known. */
  readonly netPriceMinor: number;
  readonly costMinor: number | null;
  readonly marginMinor: number | null;
}

/**
 * Tax in a price, hundredths of a percent: that of the serving, else that of the tills; none where the tills' amounts are without tax.
 */
export const priceTax = (servingTax: number | null, tillTax: number | null): number =>
  tillTax === 0 ? 0 : (servingTax ?? tillTax ?? 0);

/** Margin of a serving at its present price. `taxBasisPoints` is the tax that is included, in hundredths of a percent. */
export function servingMoney({
  priceMinor,
  taxBasisPoints,
  liquidMl,
  costPerMl,
}: {
  readonly priceMinor: number;
  readonly taxBasisPoints: number;
  readonly liquidMl: number;
  readonly costPerMl: number | null;
}): ServingMoney {
  const netPriceMinor = Math.round(priceMinor / (1 + taxBasisPoints / 10_000));
  const costMinor = costPerMl === null ? null : Math.round(liquidMl * costPerMl);
  return {
    priceMinor,
    netPriceMinor,
    costMinor,
    marginMinor: costMinor === null ? null : netPriceMinor - costMinor,
  };
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
