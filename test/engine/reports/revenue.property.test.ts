import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import type { SizePrice } from '../../../src/store/kegs/price-lists-table.ts';
import { insertDrink } from '../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, minute, openBar } from '../bar.ts';

const row = fc.integer({ min: 1, max: 12 });
const ml = fc.double({ min: 1, max: 900, noNaN: true });
const minor = fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: null });

/** Steps that may be refused, such as a correction of a drink that does not exist. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pour' as const), ml, tap: fc.constantFrom(1, 2) }) },
  fc.record({ do: fc.constant('latePour' as const), ml, agoMinutes: fc.integer({ min: 1, max: 900 }) }),
  // A price for each serving size; null: none.
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      beverage: fc.constantFrom(0, 1),
      prices: fc.array(minor, { maxLength: 3 }),
    }),
  },
  fc.record({
    do: fc.constant('correct' as const),
    beverage: fc.constantFrom(0, 1),
    prices: fc.array(minor, { maxLength: 3 }),
    agoMinutes: fc.integer({ min: 0, max: 900 }),
  }),
  fc.record({ do: fc.constant('resize' as const), volumes: fc.array(ml, { minLength: 1, maxLength: 3 }) }),
  fc.record({ do: fc.constant('move' as const), row, kegId: fc.constantFrom(null, 1, 2) }),
  fc.record({ do: fc.constant('edit' as const), row, ml }),
  fc.record({ do: fc.constant('split' as const), row, ml }),
  fc.record({ do: fc.constant('cancel' as const), row, spilled: fc.boolean() }),
  fc.record({ do: fc.constant('join' as const), row, otherId: row }),
  fc.record({ do: fc.constant('undo' as const), row }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), kept: fc.constantFrom(0, 1) }) },
  fc.record({ do: fc.constant('unmerge' as const), backwards: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant('rename' as const), beverage: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('delete' as const), beverage: fc.constantFrom(0, 1) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two kegs of different beverages on two taps, and the history of their prices as they were set. */
function openPricedBar() {
  const bar = openBar();
  const { engine, keg, right } = bar;
  const stout = { name: 'Stout', producerName: 'Brewery', styleName: '' };
  const beverages = [keg.beverageId, engine.kegs.start(right.id, { beverage: stout }, at(0)).beverageId];
  const history: { beverageId: number; sinceMs: number; prices: readonly SizePrice[] }[] = [];
  /** Which beverage each keg had, since when. */
  const kegs: { kegId: number; beverageId: number; sinceMs: number }[] = [];
  const merges: number[] = [];
  return { ...bar, beverages, history, kegs, merges };
}
type Bar = ReturnType<typeof openPricedBar>;

function runStep(
  { engine, store, beverages, left, right, merges }: Bar,
  input: Step,
  now: ReturnType<typeof at>,
): void {
  const context = { actor: { userId: null, via: 'console' }, now } as const;
  const sizes = engine.kegs.prices.servingSizes();
  switch (input.do) {
    case 'pour': {
      const tap = input.tap === 1 ? left.id : right.id;
      insertDrink(store, { tap, ticks: 100, volumeMl: input.ml }, now);
      return;
    }
    case 'latePour': {
      const agoMs = input.agoMinutes * minute;
      insertDrink(store, { tap: left.id, ticks: 100, volumeMl: input.ml, agoMs }, now);
      return;
    }
    case 'price':
    case 'correct': {
      const prices = input.prices.flatMap((priceMinor, index) => {
        const size = sizes[index];
        return priceMinor === null || size === undefined ? [] : [{ sizeId: size.id, priceMinor }];
      });
      const sinceMs = input.do === 'correct' ? now.wallMs - input.agoMinutes * minute : undefined;
      engine.kegs.prices.setOfBeverage(beverages[input.beverage]!, prices, context, sinceMs);
      return;
    }
    case 'resize':
      engine.kegs.prices.setServingSizes(
        input.volumes.map((volumeMl, index) => ({
          id: sizes[index]?.id ?? null,
          volumeMl,
          name: '',
          names: {},
        })),
        context,
      );
      return;
    case 'move':
      engine.drinks.move(input.row, { kegId: input.kegId }, now);
      return;
    case 'edit':
      engine.drinks.edit(input.row, { volumeMl: input.ml }, now);
      return;
    case 'split':
      engine.drinks.split(input.row, { volumeMl: input.ml }, now);
      return;
    case 'cancel':
      engine.drinks.cancel(input.row, { spilled: input.spilled }, now);
      return;
    case 'join':
      engine.drinks.join(input.row, { otherId: input.otherId }, now);
      return;
    case 'undo':
      engine.drinks.undo(input.row, {}, now);
      return;
    case 'merge': {
      const keptId = beverages[input.kept]!;
      const removedId = beverages[1 - input.kept]!;
      merges.push(engine.kegs.merges.mergeBeverages({ keptId, removedId }, context));
      return;
    }
    case 'unmerge':
      engine.kegs.merges.undo(merges.at(-1 - input.backwards) ?? 0, context);
      return;
    case 'rename':
      engine.kegs.catalogue.changeBeverage(
        beverages[input.beverage]!,
        { name: `Beer ${now.wallMs}` },
        context,
      );
      return;
    case 'delete':
      engine.kegs.catalogue.removeBeverage(beverages[input.beverage]!, context);
  }
}

/** Forgets the prices of a beverage since then, and what its kegs were since then: they are corrected. */
function forgetSince({ store, history, kegs }: Bar, beverageId: number, sinceMs: number): void {
  history.splice(
    0,
    history.length,
    ...history.filter((list) => list.beverageId !== beverageId || list.sinceMs < sinceMs),
  );
  for (const kegId of [1, 2].filter((id) => store.kegs.byId(id)!.beverageId === beverageId)) {
    const earlier = kegs.filter((one) => one.kegId !== kegId || one.sinceMs < sinceMs);
    kegs.splice(0, kegs.length, ...earlier, { kegId, beverageId, sinceMs });
  }
}

/** Records what the step made of the prices and of the kegs. */
function observe({ engine, store, beverages, history, kegs }: Bar, sinceMs: number): void {
  for (const beverageId of beverages.filter((id) => store.kegs.beverages.byId(id) !== null)) {
    const prices = engine.kegs.prices.ofBeverage(beverageId);
    const last = history.findLast((list) => list.beverageId === beverageId);
    if (JSON.stringify(prices) !== JSON.stringify(last?.prices ?? []))
      history.push({ beverageId, sinceMs, prices });
  }
  for (const kegId of [1, 2]) {
    const { beverageId } = store.kegs.byId(kegId)!;
    if (kegs.findLast((one) => one.kegId === kegId)?.beverageId !== beverageId)
      kegs.push({ kegId, beverageId, sinceMs: kegs.length < 2 ? 0 : sinceMs });
  }
}

/** Smallest units of the currency per millilitre for a drink; null without a price at its time. */
function unitPrice({ history }: Bar, beverageId: number | null, pour: { ml: number; ms: number }) {
  const valid = history.findLast((list) => list.beverageId === beverageId && list.sinceMs <= pour.ms);
  const [nearest] = (valid?.prices ?? []).toSorted(
    (a, b) => Math.abs(a.volumeMl - pour.ml) - Math.abs(b.volumeMl - pour.ml),
  );
  return nearest === undefined ? null : nearest.priceMinor / nearest.volumeMl;
}

/** Steps that change no drink: the revenue so far stays. */
const keepsPast: ReadonlySet<Step['do']> = new Set([
  'price',
  'resize',
  'merge',
  'unmerge',
  'rename',
  'delete',
]);

const wholeReport = ({ engine }: Bar) =>
  engine.reports.span({ first: '2026-04-30', last: '2026-05-04' }, at(60 * 60 * minute));

function revenue(bar: Bar) {
  const { revenueMinor, unpriced, unpricedMl, days } = wholeReport(bar);
  return { revenueMinor, unpriced, unpricedMl, days: days.map((day) => day.revenueMinor) };
}

test('property: the revenue is the sum over the drinks of volume × price of their time, also after merges and corrections of prices, and the rest is counted as unpriced', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 30 }), (steps) => {
      const bar = openPricedBar();
      const { engine, store, kegs } = bar;
      try {
        observe(bar, 0);
        steps.forEach((input, index) => {
          // Apart, so that pours belong to several business days.
          const now = at((1 + index * 90) * minute);
          const past = keepsPast.has(input.do) ? revenue(bar) : null;
          try {
            runStep(bar, input, now);
          } catch (refusal) {
            if (!(refusal instanceof AppError)) throw refusal;
            return;
          }
          if (input.do === 'correct') {
            const sinceMs = now.wallMs - input.agoMinutes * minute;
            forgetSince(bar, bar.beverages[input.beverage]!, sinceMs);
            observe(bar, sinceMs);
          } else observe(bar, now.wallMs);
          if (past !== null) expect(revenue(bar), input.do).toEqual(past);
        });
        const drinks = engine.drinks.list({ limit: 1_000 }).items.map(({ kegId, volumeMl, pourTimeMs }) => {
          const atThatTime = kegs.findLast((one) => one.kegId === kegId && one.sinceMs <= pourTimeMs);
          const beverageId = kegId === null ? null : atThatTime!.beverageId;
          return {
            ml: volumeMl,
            price: unitPrice(bar, beverageId, { ml: volumeMl, ms: pourTimeMs }),
          };
        });
        const unpriced = drinks.filter(({ price }) => price === null);
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

        const report = wholeReport(bar);
        expect(report).toMatchObject({ drinks: drinks.length, unpriced: unpriced.length });
        expect(report.pouredMl).toBeCloseTo(sum(drinks.map((one) => one.ml)), 6);
        expect(report.unpricedMl).toBeCloseTo(sum(unpriced.map((one) => one.ml)), 6);
        // Each day, and in it each keg and each tap, is rounded to a hundredth.
        const exact = sum(drinks.map((one) => (one.price ?? 0) * one.ml));
        expect(Math.abs((report.revenueMinor ?? 0) - exact)).toBeLessThanOrEqual(5 * 0.5 + 1e-6);
        expect(report.revenueMinor === null).toBe(unpriced.length === drinks.length);
        for (const parts of [report.kegs, report.taps]) {
          expect(sum(parts.map((part) => part.unpriced))).toBe(unpriced.length);
          expect(sum(parts.map((part) => part.unpricedMl))).toBeCloseTo(report.unpricedMl, 6);
          expect(Math.abs(sum(parts.map((part) => part.revenueMinor ?? 0)) - exact)).toBeLessThanOrEqual(
            5 * 3 * 0.5 + 1e-6,
          );
        }
        expect(store.faults()).toEqual([]);
      } finally {
        store.close();
      }
    }),
    { numRuns: propertyRuns(100) },
  );
}, 120_000);
