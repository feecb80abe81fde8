import { expect, test } from 'vitest';
import { at, hour, openBar, openingMs } from '../../bar.ts';

const context = (afterMs: number) => ({ actor: { userId: null, via: 'console' as const }, now: at(afterMs) });

/** Lager: 500 mL for 4.00, 300 mL for 3.00. */
function openPricedBar() {
  const { engine, store, keg } = openBar();
  const sizes = [500, 300].map((volumeMl) => ({ id: null, volumeMl, name: '', names: {} }));
  engine.kegs.prices.setServingSizes(sizes, context(0));
  const [large, small] = engine.kegs.prices.servingSizes();
  const prices = [
    { sizeId: large!.id, priceMinor: 400 },
    { sizeId: small!.id, priceMinor: 300 },
  ];
  engine.kegs.prices.setOfBeverage(keg.beverageId, prices, context(0));
  const change = (sizes: readonly (typeof large)[], afterMs: number) =>
    engine.kegs.prices.setServingSizes(
      sizes.map((size) => size!),
      context(afterMs),
    );
  const listed = () =>
    store.kegs.priceLists.current(keg.beverageId).map(({ volumeMl, priceMinor }) => [volumeMl, priceMinor]);
  const sinceMs = () => store.kegs.priceLists.newestSinceMs(keg.beverageId)! - openingMs;
  return { large: large!, small: small!, change, listed, sinceMs };
}

test('a size of another volume keeps its price, and drinks are valued by the new volume from then on', () => {
  const { large, small, change, listed, sinceMs } = openPricedBar();
  change([{ ...large, volumeMl: 400 }, small], hour);
  expect(listed()).toEqual([
    [400, 400],
    [300, 300],
  ]);
  expect(sinceMs()).toBe(hour);
});

test('sizes that all get another volume keep their prices, too', () => {
  const { large, small, change, listed } = openPricedBar();
  change(
    [
      { ...large, volumeMl: 400 },
      { ...small, volumeMl: 250 },
    ],
    hour,
  );
  expect(listed()).toEqual([
    [400, 400],
    [250, 300],
  ]);
});

test('a deleted size leaves the list, and sizes whose volumes stay begin no new one', () => {
  const { large, small, change, listed, sinceMs } = openPricedBar();
  change([{ ...large, name: 'Half' }, small], hour);
  expect(sinceMs()).toBe(0);
  change([large], 2 * hour);
  expect(listed()).toEqual([[500, 400]]);
  expect(sinceMs()).toBe(2 * hour);
});
