import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/core/app-error.ts';
import { noPurchase } from '../../../../src/extensions/stock/core/keg-stock.ts';
import { purchasesTable } from '../../../../src/extensions/stock/store/stock-store.ts';
import { at, hour } from '../../../engine/bar.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { openBarWithStock } from '../stock-bar.ts';

const dayMs = 24 * hour;
const context = (afterMs = 0) => ({
  actor: { userId: null, via: 'console' as const },
  now: at(afterMs),
});
const stout = { name: 'Stout', producerName: 'Brewery', styleName: '' };

function openStockBar() {
  const bar = openBarWithStock();
  const receive = (count: number, purchase = {}, keg = {}) =>
    bar.engine.purchases.receive(
      { keg: { beverage: stout, sizeKey: 'euro-30-liter', ...keg }, count, purchase },
      context(),
    );
  const undo = (id: number | null, afterMs = hour) =>
    bar.engine.corrections.undo(id!, { actor: context().actor }, at(afterMs));
  return { ...bar, receive, undo };
}

describe('a delivery', () => {
  test('adds its kegs with what is known of them, and is undone as a whole', () => {
    const { engine, store, receive, undo } = openStockBar();
    const before = engine.stock.view(at(0)).kegs.length;
    const { result: ids, correctionId } = receive(3, { supplier: 'Drinks & Co', costMinor: 9_900 });
    const kegs = engine.stock.view(at(0)).kegs.filter(({ beverage }) => beverage === 'Stout');
    expect(kegs).toMatchObject(
      ids.map((kegId) => ({ kegId, leftMl: 30_000, costLeftMinor: 9_900, state: 'available' })),
    );
    expect(engine.purchases.ofKeg(ids[0]!)).toEqual({
      ...noPurchase,
      supplier: 'Drinks & Co',
      costMinor: 9_900,
    });
    undo(correctionId);
    expect(engine.stock.view(at(0)).kegs).toHaveLength(before);
    expect(store.drinks.rows.all(purchasesTable)).toEqual([]);
  });

  test('stays whole when one of its kegs was put on a tap', () => {
    const { engine, right, receive, undo } = openStockBar();
    const { result: ids, correctionId } = receive(2);
    engine.kegs.attach(right.id, ids[0]!, at(0));
    expect(() => undo(correctionId)).toThrow(AppError);
    expect(engine.kegs.get(ids[1]!)).not.toBeNull();
  });

  test.each([
    ['count', 0, {}],
    ['count', 51, {}],
    ['best_before', 1, { bestBefore: '2026-02-30' }],
    ['cost_minor', 1, { costMinor: -1 }],
    ['supplier', 1, { supplier: 'x'.repeat(65) }],
  ])('with a wrong %s adds nothing', (field, count, purchase) => {
    const { engine, receive } = openStockBar();
    const before = engine.stock.view(at(0));
    expect(() => receive(count, purchase)).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ [field]: expect.any(String) }) }),
    );
    expect(engine.stock.view(at(0))).toEqual(before);
  });
});

describe('what is known of a keg', () => {
  test('is changed field by field, and each change undone', () => {
    const { engine, keg, undo } = openStockBar();
    engine.purchases.change(keg.id, { costMinor: 12_000, batch: 'L1' }, context());
    const { correctionId } = engine.purchases.change(keg.id, { batch: 'L2' }, context());
    expect(engine.purchases.ofKeg(keg.id)).toMatchObject({ costMinor: 12_000, batch: 'L2' });
    undo(correctionId);
    expect(engine.purchases.ofKeg(keg.id)).toMatchObject({ costMinor: 12_000, batch: 'L1' });
  });

  test('comes back with a deleted keg', () => {
    const { engine, receive, undo } = openStockBar();
    const [id] = receive(1, { batch: 'L1' }).result as [number];
    const { correctionId } = engine.kegs.remove(id, context());
    undo(correctionId);
    expect(engine.purchases.ofKeg(id)).toMatchObject({ batch: 'L1' });
  });
});

describe('the stock', () => {
  test('has the cost of what is left, in proportion, and counts kegs without a cost', () => {
    const { engine, store, keg, left, receive } = openStockBar();
    engine.purchases.change(keg.id, { costMinor: 12_000 }, context());
    insertDrink(store, { tap: left.id, ticks: 1, volumeMl: 7_500 }, at(hour));
    engine.kegs.spill(keg.id, 7_500, at(hour));
    receive(2, { costMinor: 9_900 });
    receive(1);
    const stock = engine.stock.view(at(2 * hour));
    expect(stock).toMatchObject({
      today: '2026-05-01',
      costLeftMinor: 6_000 + 2 * 9_900,
      kegsWithoutCost: 1,
    });
    expect(stock.kegs.at(-1)).toMatchObject({ kegId: keg.id, state: 'on_tap', daysOnTap: 0, leftMl: 15_000 });
  });

  test('has a keg again that was taken off its tap before it was empty, with what is left', () => {
    const { engine, store, keg, left } = openStockBar();
    insertDrink(store, { tap: left.id, ticks: 1, volumeMl: 300 }, at(hour));
    engine.kegs.disconnect(left.id, keg.id, at(hour), context().actor);
    const again = engine.stock.view(at(hour)).kegs.find(({ kegId }) => kegId === keg.id);
    expect(again).toMatchObject({ state: 'available', tap: null, leftMl: 29_700 });
  });

  test('proposes the keg that is to be used up first', () => {
    const { engine, receive } = openStockBar();
    const [late] = receive(1, { bestBefore: '2026-09-01' }).result as [number];
    const [unknown] = receive(1, { receivedOn: '2026-01-01' }).result as [number];
    const [soon] = receive(1, { bestBefore: '2026-05-05', receivedOn: '2026-04-30' }).result as [number];
    const { kegs } = engine.stock.view(at(0));
    expect(kegs.filter(({ state }) => state === 'available').map(({ kegId }) => kegId)).toEqual([
      soon,
      late,
      unknown,
    ]);
    expect(kegs[0]!.warning).toBe('best_before_soon');
  });

  test('shows deposits until they came back', () => {
    const { engine, keg, left } = openStockBar();
    engine.purchases.change(keg.id, { depositMinor: 3_000 }, context());
    engine.kegs.endOnTap(left.id, at(hour));
    const stock = engine.stock.view(at(hour));
    expect(stock.depositsOut.map(({ kegId }) => kegId)).toEqual([keg.id]);
    expect(stock.depositMinor).toBe(3_000);
    engine.purchases.change(keg.id, { depositReturnedOn: '2026-05-02' }, context(hour));
    expect(engine.stock.view(at(hour))).toMatchObject({ depositsOut: [], depositMinor: 0 });
  });

  test('says when to order, from what was poured and spilled since the beverage came', () => {
    const { engine, store, left } = openStockBar();
    for (let day = 0; day < 8; day += 1)
      insertDrink(store, { tap: left.id, ticks: 1, volumeMl: 3_000 }, at(day * dayMs + hour));
    const [lager] = engine.stock.view(at(7 * dayMs + 2 * hour)).beverages;
    expect(lager).toMatchObject({ name: 'Lager', leftMl: 6_000, dailyMl: 3_000, kegsInStock: 0 });
    expect(lager!.reorder).toEqual({ runsOutOn: '2026-05-10', orderBy: '2026-05-08', orderKegs: 1 });
  });
});

describe('the label of a keg', () => {
  const first = { name: 'a'.repeat(32) };
  const second = { name: 'b'.repeat(32) };

  test('is replaced, removed, and comes back with undo', () => {
    const { engine, keg, undo } = openStockBar();
    const label = () => engine.purchases.label(keg.id)?.name ?? null;
    engine.purchases.setLabel(keg.id, first, context());
    const { correctionId: replaced } = engine.purchases.setLabel(keg.id, second, context());
    const { correctionId: removed } = engine.purchases.setLabel(keg.id, null, context());
    expect(label()).toBeNull();
    undo(removed);
    expect(label()).toBe(second.name);
    undo(replaced);
    expect(label()).toBe(first.name);
  });

  test('comes back with a deleted keg, and is not found for an unknown one', () => {
    const { engine, receive, undo } = openStockBar();
    const [id] = receive(1, { code: '(10)L1' }).result;
    engine.purchases.setLabel(id!, first, context());
    const { correctionId } = engine.kegs.remove(id!, context());
    expect(() => engine.purchases.label(id!)).toThrow(AppError);
    undo(correctionId);
    expect(engine.purchases.label(id!)?.name).toBe(first.name);
    expect(engine.purchases.ofKeg(id!).code).toBe('(10)L1');
  });
});
