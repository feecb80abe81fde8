import { expect, test } from 'vitest';
import type { LoadedExtension } from '../../../../src/engine/extension.ts';
import { addMoney, marginMinor, pourCost } from '../../../../src/extensions/sales/core/money.ts';
import { at, hour, openingMs } from '../../../engine/bar.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { openSalesBar, salesOn } from './sales-bar.ts';

const context = { actor: { userId: null, via: 'console' as const }, now: at(0) };
const today = { first: '2026-05-01', last: '2026-05-01' };

/** An extension that knows what kegs of 30 L cost. */
const costs: LoadedExtension = {
  name: 'costs',
  createServices: () => null,
  hooks: () => ({ kegCost: () => 6_000, costPerMl: () => 6_000 / 30_000 }),
};

/** Lager for 60.00 a keg of 30 L, 0.5 L for 4.76 with 19 % tax. */
function openMoneyBar(loaded: readonly LoadedExtension[] = [costs]) {
  const bar = openSalesBar(undefined, {
    ...salesOn,
    engine: { ...salesOn.engine, loaded: [...salesOn.engine.loaded, ...loaded] },
  });
  const { engine, store, keg, left } = bar;
  engine.kegs.prices.setServingSizes([{ id: null, volumeMl: 500, name: '', names: {} }], context);
  const half = engine.kegs.prices.servingSizes()[0]!;
  engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId: half.id, priceMinor: 476 }], context);
  const pour = (volumeMl: number) => insertDrink(store, { tap: left.id, ticks: 1, volumeMl }, at(hour));
  const ring = (id: string, kind: 'sale' | 'comp' | 'void', quantity = 1) =>
    bar.sales.api.receive(
      bar.till.name,
      {
        timeMeaning: 'ring',
        lines: [
          {
            externalId: id,
            checkId: '',
            timeMs: openingMs + hour,
            itemKey: 'Half',
            itemName: 'Half',
            variant: '',
            category: 'Draught',
            kind,
            quantity,
            grossMinor: null,
            discountMinor: null,
            netMinor: 450 * quantity,
          },
        ],
      },
      context,
    );
  const includeTax = (includedTaxBasisPoints: number | null) =>
    bar.sales.tills.change(bar.till.id, { includedTaxBasisPoints }, context);
  return { ...bar, half, pour, ring, includeTax, money: () => engine.money.span(today, at(2 * hour)) };
}

test('income is at the prices of the time until a till sold the beverage', () => {
  const { pour, ring, map, money } = openMoneyBar();
  for (let i = 0; i < 4; i += 1) pour(500);
  expect(money()).toMatchObject({
    beverages: [{ name: 'Lager', incomeFrom: 'prices', incomeMinor: 4 * 476 }],
  });
  for (let i = 0; i < 3; i += 1) ring(`line-${i}`, 'sale');
  map('Half', '', 500);
  const view = money();
  expect(view.beverages).toMatchObject([
    { incomeFrom: 'till', incomeMinor: 3 * 450, costMinor: 400, uncostedMl: 0 },
  ]);
  expect(view.total).toEqual(addMoney(view.beverages));
});

test('what was spilled is waste at its cost, and lowers the margin', () => {
  const { engine, keg, pour, money } = openMoneyBar();
  pour(1_000);
  engine.kegs.spill(keg.id, 2_000, at(hour));
  const { total } = money();
  expect(total).toMatchObject({ costMinor: 200, wasteMinor: 400 });
  expect(marginMinor(total)).toBe(total.incomeMinor! - 600);
});

test('where nothing knows what kegs cost, there is neither cost nor margin', () => {
  const { engine, left, pour, money } = openMoneyBar([]);
  pour(1_000);
  engine.kegs.endOnTap(left.id, at(hour));
  const { total, leftInKegs, servings } = money();
  expect(total).toMatchObject({ costMinor: null, uncostedMl: 1_000 });
  expect(marginMinor(total)).toBeNull();
  expect([leftInKegs[0]!.costMinor, servings[0]!.costMinor]).toEqual([null, null]);
});

test('lines of tills are counted by kind', () => {
  const { ring, map, money } = openMoneyBar();
  ring('a', 'sale', 3);
  ring('b', 'comp');
  ring('c', 'void', -1);
  map('Half', '', 500);
  expect(new Map(money().till.map(({ kind, ...sums }) => [kind, sums]))).toEqual(
    new Map([
      ['sale', { lines: 1, servings: 3, netMinor: 1_350 }],
      ['comp', { lines: 1, servings: 1, netMinor: 0 }],
      ['void', { lines: 1, servings: -1, netMinor: -450 }],
    ]),
  );
});

test('a keg that ended with beer in it is listed with the cost of that', () => {
  const { engine, left, keg, pour, money } = openMoneyBar();
  pour(20_000);
  engine.kegs.endOnTap(left.id, at(hour));
  expect(money().leftInKegs).toEqual([
    { kegId: keg.id, beverage: 'Lager', leftMl: 10_000, costMinor: 2_000 },
  ]);
});

test('income, pour cost and margin are without the tax that the amounts of a till contain', () => {
  const { pour, ring, map, includeTax, engine, money } = openMoneyBar();
  for (let i = 0; i < 100; i += 1) {
    pour(500);
    ring(`line-${i}`, 'sale');
  }
  map('Half', '', 500);
  includeTax(1_900);
  const { total, till } = money();
  // 45 000 with tax; 50 L cost 10 000, of a keg of 30 L for 6 000.
  expect(total).toMatchObject({ incomeMinor: Math.round(45_000 / 1.19), costMinor: 10_000 });
  expect(pourCost(total)).toBeCloseTo(10_000 / (45_000 / 1.19), 4);
  expect(marginMinor(total)).toBe(total.incomeMinor! - 10_000);
  expect(till).toMatchObject([{ netMinor: Math.round(45_000 / 1.19) }]);
  expect(engine.balances.span(today, at(2 * hour)).total.netMinor).toBeCloseTo(45_000 / 1.19, 3);
});

test('a serving with a rate of its own has that in the amounts of the till, too', () => {
  const { engine, keg, half, pour, ring, sales, till, includeTax, money } = openMoneyBar();
  pour(500);
  ring('a', 'sale');
  const [item] = sales.tills.items(till.id);
  const component = { beverageId: keg.beverageId, sizeId: half.id, count: 1, liquidMl: null };
  sales.tills.mapItem(item!.id, { components: [component] }, context);
  engine.sales.servings.setOfBeverage(
    keg.beverageId,
    [{ sizeId: half.id, liquidMl: null, taxBasisPoints: 700, codes: [] }],
    context,
  );
  includeTax(1_900);
  expect(money().total.incomeMinor).toBe(Math.round(450 / 1.07));
});

test('list prices are without tax where the amounts of the tills are', () => {
  const { engine, keg, half, pour, includeTax, money } = openMoneyBar();
  pour(500);
  engine.sales.servings.setOfBeverage(
    keg.beverageId,
    [{ sizeId: half.id, liquidMl: null, taxBasisPoints: 1_900, codes: [] }],
    context,
  );
  includeTax(0);
  expect(money()).toMatchObject({ total: { incomeMinor: 476 }, servings: [{ netPriceMinor: 476 }] });
  includeTax(700);
  expect(money()).toMatchObject({ total: { incomeMinor: 400 }, servings: [{ netPriceMinor: 400 }] });
});

test('until somebody says whether the amounts of a till contain tax there is no margin, and it is named', () => {
  const { pour, ring, map, includeTax, money } = openMoneyBar();
  pour(500);
  ring('a', 'sale');
  map('Half', '', 500);
  expect(money().taxUnknownTills).toEqual([]);
  includeTax(null);
  const { total, taxUnknownTills } = money();
  expect(total).toMatchObject({ incomeMinor: 450, isTaxKnown: false });
  expect([marginMinor(total), pourCost(total)]).toEqual([null, null]);
  expect(taxUnknownTills).toMatchObject([{ name: 'Front' }]);
});

test('each serving has its margin at the present price, without its tax', () => {
  const { engine, keg, half, pour, includeTax, money } = openMoneyBar();
  pour(500);
  engine.sales.servings.setOfBeverage(
    keg.beverageId,
    [{ sizeId: half.id, liquidMl: 480, taxBasisPoints: 1_900, codes: [] }],
    context,
  );
  includeTax(700);
  expect(money().servings).toMatchObject([
    {
      beverage: 'Lager',
      liquidMl: 480,
      priceMinor: 476,
      netPriceMinor: 400,
      costMinor: 96,
      marginMinor: 304,
    },
  ]);
});
