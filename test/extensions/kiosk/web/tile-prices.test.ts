import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arrangePrices, type PriceBox } from '../../../../src/extensions/kiosk/web/tile-prices.ts';

/** Half an em for each character. */
const measure = (text: string) => text.length / 2;
const prices = [200, 300, 400, 500].map((ml) => ({ sum: `€${ml / 100}.00`, serving: `${ml} mL` }));
const box: PriceBox = { singleWidthEm: 6, severalWidthEm: 40, maxSizesEm: [1.5, 0.95] };

test('all prices are in one line where they fit, else in two', () => {
  expect(arrangePrices(prices, box, measure)).toMatchObject({ prices, columns: 4 });
  expect(arrangePrices(prices, { ...box, severalWidthEm: 14 }, measure)).toMatchObject({
    prices,
    columns: 2,
  });
});

test('as many prices as fit are shown, in the order of the menu', () => {
  const shown = (severalWidthEm: number) =>
    arrangePrices(prices, { ...box, maxSizesEm: [1.25], severalWidthEm }, measure)?.prices;
  expect(shown(17)).toEqual(prices.slice(0, 3));
  expect(shown(6)).toEqual(prices.slice(0, 1));
  expect(arrangePrices([], box, measure)).toBeNull();
});

test('property: prices never exceed their box, and more space never shows fewer of them', () => {
  const amounts = fc.array(
    fc.record({
      sum: fc.string({ minLength: 1, maxLength: 12 }),
      serving: fc.string({ minLength: 1, maxLength: 16 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const width = fc.double({ min: 1, max: 60, noNaN: true });
  fc.assert(
    fc.property(amounts, width, width, (some, a, b) => {
      const [narrow, wide] = [a, b]
        .sort((x, y) => x - y)
        .map((severalWidthEm) => arrangePrices(some, { ...box, severalWidthEm }, measure)!);
      expect(wide!.prices.length).toBeGreaterThanOrEqual(narrow!.prices.length);
      for (const [grid, most] of [
        [narrow!, Math.min(a, b)],
        [wide!, Math.max(a, b)],
      ] as const) {
        expect(grid.widthEm).toBeLessThanOrEqual((grid.prices.length > 1 ? most : box.singleWidthEm) + 1e-9);
      }
    }),
  );
});
