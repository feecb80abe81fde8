import { describe, expect, test } from 'vitest';
import type { ScheduleFields } from '../../../../src/engine/kegs/prices/price-schedules.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openingMs } from '../../bar.ts';

const dayMs = 24 * hour;
const context = (afterMs = 0) => ({ actor: { userId: null, via: 'console' as const }, now: at(afterMs) });

/** Opened on Friday 1 May 2026 at 18:00. */
const happyHour: ScheduleFields = {
  name: 'Happy hour',
  isEnabled: true,
  weekdays: [5],
  startsMinutes: 19 * 60,
  endsMinutes: 21 * 60,
  firstOn: null,
  lastOn: null,
  percentOff: 50,
  prices: [],
};

/** Lager, half a litre for 4.00. */
function openPricedBar() {
  const bar = openBar();
  const { engine, store, keg, left } = bar;
  engine.kegs.prices.setServingSizes([{ id: null, volumeMl: 500, name: '', names: {} }], context());
  const sizeId = engine.kegs.prices.servingSizes()[0]!.id;
  const setPrice = (priceMinor: number, afterMs = 0, sinceMs?: number) =>
    engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId, priceMinor }], context(afterMs), sinceMs);
  setPrice(400);
  return {
    ...bar,
    sizeId,
    setPrice,
    add: (fields: Partial<ScheduleFields> = {}, afterMs = 0) =>
      engine.kegs.priceSchedules.add({ ...happyHour, ...fields }, context(afterMs)),
    tick: (afterMs: number) => engine.kegs.priceSchedules.applyWhenDue(at(afterMs)),
    shown: () => store.kegs.priceLists.current(keg.beverageId).map(({ priceMinor }) => priceMinor),
    pour: (afterMs: number) => insertDrink(store, { tap: left.id, ticks: 1, volumeMl: 500 }, at(afterMs)),
    /** Value of the drinks of a minute. */
    valueAt: (afterMs: number) =>
      store.reports
        .poured({ sinceMs: openingMs + afterMs, untilMs: openingMs + afterMs + minute })
        .map(({ revenueMinor }) => revenueMinor),
    undo: (id: number | null, afterMs: number) =>
      engine.corrections.undo(id!, { actor: context().actor }, at(afterMs)),
  };
}

describe('a happy hour', () => {
  test('holds from its start to its end, and drinks keep the price of their time', () => {
    const { add, tick, shown, pour, valueAt } = openPricedBar();
    add();
    expect(shown()).toEqual([400]);
    tick(hour + 20_000);
    expect(shown()).toEqual([200]);
    tick(3 * hour + 20_000);
    expect(shown()).toEqual([400]);
    for (const time of [59 * minute, hour, 3 * hour - minute, 3 * hour]) pour(time);
    expect([59 * minute, hour, 3 * hour - minute, 3 * hour].map(valueAt)).toEqual([
      [400],
      [200],
      [200],
      [400],
    ]);
  });

  test('is found after the daemon was off', () => {
    const { add, tick, shown, pour, valueAt } = openPricedBar();
    add();
    tick(4 * hour);
    pour(2 * hour);
    expect(valueAt(2 * hour)).toEqual([200]);
    expect(shown()).toEqual([400]);
    tick(7 * dayMs + 90 * minute);
    expect(shown()).toEqual([200]);
  });

  test('that is entered while it holds changes no earlier drink', () => {
    const { add, pour, shown, valueAt } = openPricedBar();
    pour(70 * minute);
    add({}, 90 * minute);
    pour(91 * minute);
    expect(shown()).toEqual([200]);
    expect([70 * minute, 91 * minute].map(valueAt)).toEqual([[400], [200]]);
  });

  test('over midnight belongs to the day on which it starts', () => {
    const { add, tick, shown } = openPricedBar();
    add({ startsMinutes: 23 * 60, endsMinutes: 60 });
    tick(6 * hour + minute);
    expect(shown()).toEqual([200]);
    tick(7 * hour);
    expect(shown()).toEqual([400]);
    tick(dayMs + 6 * hour);
    expect(shown()).toEqual([400]);
  });

  test('has prices of its own, also for what is not sold otherwise', () => {
    const { add, tick, engine, store, keg, sizeId, shown } = openPricedBar();
    const stout = engine.kegs.catalogue.addBeverage(
      { name: 'Stout', producerId: engine.kegs.catalogue.beverage(keg.beverageId)!.producer.id },
      context(),
    );
    add({
      prices: [
        { beverageId: keg.beverageId, sizeId, priceMinor: 350 },
        { beverageId: stout.id, sizeId, priceMinor: 500 },
      ],
    });
    tick(hour);
    expect(shown()).toEqual([350]);
    expect(store.kegs.priceLists.current(stout.id)).toMatchObject([{ priceMinor: 500 }]);
    tick(3 * hour);
    expect(shown()).toEqual([400]);
    expect(store.kegs.priceLists.current(stout.id)).toEqual([]);
  });

  test('gives way to the one before it in the list, and to nothing on other days or outside its dates', () => {
    const { add, tick, shown } = openPricedBar();
    add({ percentOff: 25, firstOn: '2026-05-08', lastOn: '2026-05-08' });
    add({ percentOff: 50, weekdays: [5, 6] });
    const seen = [hour, dayMs + hour, 2 * dayMs + hour, 7 * dayMs + hour].map((time) => {
      tick(time);
      return shown()[0];
    });
    expect(seen).toEqual([200, 200, 400, 300]);
  });

  test('is moved in the list, counts from then on, and is put back by the undo', () => {
    const { engine, add, tick, shown, pour, valueAt, undo } = openPricedBar();
    const first = add().result.id;
    const event = add({ name: 'Festival', percentOff: 25 }).result.id;
    const last = add({ name: 'Friday', percentOff: 10 }).result.id;
    const order = () => engine.kegs.priceSchedules.list().map(({ id }) => id);
    tick(hour + minute);
    pour(hour + minute);
    const { correctionId } = engine.kegs.priceSchedules.move(event, 1, context(hour + 2 * minute));
    expect(order()).toEqual([event, first, last]);
    expect(shown()).toEqual([300]);
    pour(hour + 3 * minute);
    expect([hour + minute, hour + 3 * minute].map(valueAt)).toEqual([[200], [300]]);
    expect(engine.kegs.priceSchedules.move(event, 1, context(hour + 4 * minute)).correctionId).toBeNull();
    undo(correctionId, hour + 5 * minute);
    expect(order()).toEqual([first, event, last]);
    expect(shown()).toEqual([200]);
    engine.kegs.priceSchedules.move(first, 3, context(hour + 6 * minute));
    expect(order()).toEqual([event, last, first]);
    expect(add({ name: 'New' }, hour + 7 * minute).result.id).toBe(order().at(-1));
    // What was added since stays when an earlier move is undone.
    const again = engine.kegs.priceSchedules.move(first, 1, context(hour + 8 * minute));
    const newest = add({ name: 'Newest' }, hour + 9 * minute).result.id;
    undo(again.correctionId, hour + 10 * minute);
    expect(order().slice(0, 3)).toEqual([event, last, first]);
    expect(order().at(-1)).toBe(newest);
    for (const place of [0, 6, 1.5])
      expect(() => engine.kegs.priceSchedules.move(first, place, context(2 * hour))).toThrow('place');
    expect(() => engine.kegs.priceSchedules.move(99, 1, context(2 * hour))).toThrow('99');
  });

  test('follows a new time zone and a clock that is set back within a minute', () => {
    const { engine, add, tick, shown } = openPricedBar();
    add();
    tick(30 * minute);
    expect(shown()).toEqual([400]);
    // An hour ahead of the bar so far: it is half past seven there.
    engine.site.change({ timeZone: 'Europe/London' }, context().actor, at(30 * minute));
    tick(31 * minute);
    expect(shown()).toEqual([200]);
    tick(-31 * minute);
    expect(shown()).toEqual([400]);
  });
});

describe('while a happy hour holds', () => {
  test('staff change the ordinary price, which holds afterwards', () => {
    const { add, tick, shown, setPrice, engine, keg } = openPricedBar();
    add();
    tick(hour);
    setPrice(500, 2 * hour);
    expect(engine.kegs.prices.ofBeverage(keg.beverageId)).toMatchObject([{ priceMinor: 500 }]);
    expect(shown()).toEqual([250]);
    tick(3 * hour);
    expect(shown()).toEqual([500]);
  });

  test('a correction of earlier prices keeps the happy hours since then', () => {
    const { add, tick, setPrice, pour, valueAt, shown } = openPricedBar();
    add();
    for (const time of [30 * minute, 2 * hour, 4 * hour]) pour(time);
    tick(5 * hour);
    setPrice(600, 5 * hour, openingMs + 10 * minute);
    expect([30 * minute, 2 * hour, 4 * hour].map(valueAt)).toEqual([[600], [300], [600]]);
    expect(shown()).toEqual([600]);
  });

  test('it is switched off, deleted and undone at once', () => {
    const { add, tick, shown, engine, undo } = openPricedBar();
    const { id } = add().result;
    tick(hour);
    const off = engine.kegs.priceSchedules.change(
      id,
      { ...happyHour, isEnabled: false },
      context(70 * minute),
    );
    expect(shown()).toEqual([400]);
    undo(off.correctionId, 71 * minute);
    expect(shown()).toEqual([200]);
    const removed = engine.kegs.priceSchedules.remove(id, context(72 * minute));
    expect(shown()).toEqual([400]);
    undo(removed.correctionId, 73 * minute);
    expect(shown()).toEqual([200]);
    expect(engine.kegs.priceSchedules.active(at(74 * minute))).toMatchObject({
      schedule: { id, name: 'Happy hour' },
    });
  });
});

test.each([
  ['weekdays', { weekdays: [] }],
  ['starts', { startsMinutes: 1_440 }],
  ['percent_off', { percentOff: 101 }],
  ['last_on', { firstOn: '2026-05-02', lastOn: '2026-05-01' }],
  ['first_on', { firstOn: '2026-02-30' }],
  ['name', { name: '' }],
  ['beverage_id', { prices: [{ beverageId: 99, sizeId: 1, priceMinor: 1 }] }],
])('a schedule with a wrong %s is refused, and nothing is written', (field, wrong) => {
  const { add, engine } = openPricedBar();
  expect(() => add(wrong)).toThrow(
    expect.objectContaining({ fields: expect.objectContaining({ [field]: expect.any(String) }) }),
  );
  expect(engine.kegs.priceSchedules.list()).toEqual([]);
});

test('at most 20 schedules are kept', () => {
  const { add } = openPricedBar();
  for (let i = 0; i < 20; i += 1) add();
  expect(() => add()).toThrow(expect.objectContaining({ reason: { name: 'too_many_schedules', most: 20 } }));
});
