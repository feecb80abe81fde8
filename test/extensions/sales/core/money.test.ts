import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addMoney,
  computeMoney,
  marginMinor,
  pourCost,
  priceTax,
  servingMoney,
} from '../../../../src/extensions/sales/core/money.ts';

const keg = { beverageId: 1, costPerMl: 0.4, pouredMl: 10_000, spilledMl: 500, revenueMinor: 9_000 };

describe('income and cost of a beverage', () => {
  test('are what tills sold, and the cost of its kegs in proportion', () => {
    const [money] = computeMoney(
      [keg, { ...keg, costPerMl: 0.5, spilledMl: 0 }],
      [{ beverageId: 1, netMinor: 18_500, isTaxKnown: true }],
    );
    expect(money).toEqual({
      beverageId: 1,
      incomeFrom: 'till',
      pouredMl: 20_000,
      spilledMl: 500,
      incomeMinor: 18_500,
      isTaxKnown: true,
      costMinor: 9_000,
      uncostedMl: 0,
      wasteMinor: 200,
    });
    expect(marginMinor(money!)).toBe(18_500 - 9_000 - 200);
    expect(pourCost(money!)).toBeCloseTo(9_000 / 18_500, 9);
  });

  test('without a till are at the prices of the time', () => {
    const [money] = computeMoney([keg], []);
    expect(money).toMatchObject({ incomeFrom: 'prices', incomeMinor: 9_000 });
  });

  test('have no margin while a keg has no cost, or nothing is known of the income', () => {
    const partly = computeMoney([keg, { ...keg, costPerMl: null }], []);
    expect(partly).toMatchObject([{ costMinor: 4_000, uncostedMl: 10_000 }]);
    expect(marginMinor(partly[0]!)).toBeNull();
    expect(pourCost(partly[0]!)).toBeNull();
    const [free] = computeMoney([{ ...keg, revenueMinor: null }], []);
    expect(free).toMatchObject({ incomeFrom: null, incomeMinor: null });
    expect(marginMinor(free!)).toBeNull();
  });
});

test('the total is the sum of the beverages, exactly', () => {
  const ml = fc.double({ min: 0, max: 100_000, noNaN: true });
  const anyKeg = fc.record({
    beverageId: fc.integer({ min: 1, max: 4 }),
    costPerMl: fc.option(fc.double({ min: 0, max: 5, noNaN: true })),
    pouredMl: ml,
    spilledMl: ml,
    revenueMinor: fc.option(ml),
  });
  const sale = fc.record({
    beverageId: fc.integer({ min: 1, max: 4 }),
    netMinor: fc.integer({ min: -10_000, max: 1_000_000 }),
    isTaxKnown: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(anyKeg, { maxLength: 12 }),
      fc.uniqueArray(sale, { maxLength: 4, selector: ({ beverageId }) => beverageId }),
      (kegs, sold) => {
        const beverages = computeMoney(kegs, sold);
        const total = addMoney(beverages);
        const sum = (values: readonly (number | null)[]) => values.reduce<number>((a, b) => a + (b ?? 0), 0);
        expect(total.incomeMinor ?? 0).toBe(sum(beverages.map(({ incomeMinor }) => incomeMinor)));
        expect(total.costMinor ?? 0).toBe(sum(beverages.map(({ costMinor }) => costMinor)));
        expect(total.wasteMinor ?? 0).toBe(sum(beverages.map(({ wasteMinor }) => wasteMinor)));
        expect(total.pouredMl).toBeCloseTo(sum(kegs.map(({ pouredMl }) => pouredMl)), 3);
        for (const { incomeMinor, costMinor, wasteMinor } of beverages)
          for (const amount of [incomeMinor, costMinor, wasteMinor])
            expect(amount === null || Number.isInteger(amount)).toBe(true);
      },
    ),
  );
});

test('a price has the tax of its serving, else that of the tills, and none where the tills are without tax', () => {
  expect([priceTax(700, 1_900), priceTax(null, 1_900), priceTax(700, null), priceTax(null, null)]).toEqual([
    700, 1_900, 700, 0,
  ]);
  expect([priceTax(700, 0), priceTax(null, 0)]).toEqual([0, 0]);
});

test('there is no margin and no pour cost while the income may contain tax', () => {
  const [money] = computeMoney([keg], [{ beverageId: 1, netMinor: 18_500, isTaxKnown: false }]);
  expect(marginMinor(money!)).toBeNull();
  expect(pourCost(money!)).toBeNull();
  expect(addMoney([money!, { ...money!, isTaxKnown: true }]).isTaxKnown).toBe(false);
});

test('the margin of a serving is its price without tax less the cost of the beer in it', () => {
  const serving = { priceMinor: 476, taxBasisPoints: 1_900, liquidMl: 500 };
  expect(servingMoney({ ...serving, costPerMl: 0.22 })).toEqual({
    priceMinor: 476,
    netPriceMinor: 400,
    costMinor: 110,
    marginMinor: 290,
  });
  expect(servingMoney({ ...serving, taxBasisPoints: 0, costPerMl: null })).toMatchObject({
    netPriceMinor: 476,
    costMinor: null,
    marginMinor: null,
  });
});
