import { expect, test } from 'vitest';
import { at, hour, minute, openingMs } from '../../../engine/bar.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { openSalesBar } from './sales-bar.ts';

const day = 24 * hour;
const staff = { userId: null, via: 'console' } as const;

/** A bar that pours 20 half litres of Lager on each of the days, of which so many are rung up. */
function openWeek(rungByDay: readonly number[]) {
  const bar = openSalesBar();
  rungByDay.forEach((rung, n) => {
    for (let i = 0; i < 20; i++) {
      const afterMs = n * day + (i + 1) * minute;
      insertDrink(bar.store, { tap: bar.left.id, ticks: 500, volumeMl: 500 }, at(afterMs));
    }
    const lines = Array.from({ length: rung }, (_, i) => ({
      externalId: `${n}-${i}`,
      checkId: '',
      timeMs: openingMs + n * day + (i + 1) * minute + 20_000,
      itemKey: 'Lager 0.5',
      itemName: 'Lager 0.5',
      variant: '',
      category: 'Draught',
      kind: 'sale' as const,
      quantity: 1,
      grossMinor: null,
      discountMinor: null,
      netMinor: 400,
    }));
    if (rung > 0)
      bar.sales.api.receive(
        bar.till.name,
        { timeMeaning: 'ring', lines },
        { actor: staff, now: at(n * day + hour) },
      );
  });
  bar.map('Lager 0.5', '', 500);
  return bar;
}

const weekLater = at(7 * day);

test('three days of a week on which more was poured than rung up raise the alarm, with their sum', () => {
  const { engine, beverageId } = openWeek([20, 10, 20, 10, 20, 10, 20]);
  expect(engine.hooks.alarmConditions(weekLater)).toMatchObject([
    {
      kind: 'balance_differs',
      subject: `beverage-${beverageId}`,
      state: 'bad',
      values: { beer: 'Lager', direction: 'poured_not_rung', days: 3, differenceMl: 15_000 },
    },
  ]);
});

test('two such days raise none, and neither do days whose file of sales has not come', () => {
  const states = (rung: readonly number[]) =>
    openWeek(rung)
      .engine.hooks.alarmConditions(weekLater)
      .map(({ state }) => state);
  expect(states([20, 10, 20, 20, 20, 10, 20])).toEqual(['good']);
  expect(states([20, 0, 20, 0, 20, 0, 20])).toEqual(['good']);
});

test('it is computed every six hours, and is unknown while the clock is not set', () => {
  const bar = openWeek([20, 10, 20, 10, 20, 10, 20]);
  const states = (afterMs: number, options = {}) =>
    bar.engine.hooks.alarmConditions(at(7 * day + afterMs, options)).map(({ state }) => state);
  expect(states(0)).toEqual(['bad']);
  bar.sales.imports.list({});
  insertDrink(bar.store, { tap: bar.left.id, ticks: 500, volumeMl: 500 }, at(7 * day + minute));
  expect(states(hour, { synced: false })).toEqual(['unknown']);
  expect(states(5 * hour)).toEqual(['bad']);
  // A week later nothing was poured or sold.
  expect(states(8 * day)).toEqual([]);
});

test('a bar without a till has no such alarm', () => {
  const bar = openSalesBar();
  bar.sales.tills.remove(bar.till.id, { actor: staff, now: at(0) });
  expect(bar.engine.hooks.alarmConditions(weekLater)).toEqual([]);
});
