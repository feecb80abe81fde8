import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/shared/audit.ts';
import { at, hour, minute } from '../../../engine/bar.ts';
import { openBarWithStock } from '../stock-bar.ts';

const conflict = (name: string) =>
  expect.objectContaining({ code: 'conflict', reason: expect.objectContaining({ name }) });
const context = { actor: systemActor, now: at(hour) };

/** The bar with a keg on the left tap, and kegs of 50 L with the same beer in stock, of which the first one is old. */
function openStock(kegs = 3) {
  const bar = openBarWithStock();
  const { engine, keg } = bar;
  const { beverageId } = keg;
  const ids = engine.purchases.receive(
    {
      keg: { beverage: { id: beverageId }, sizeKey: 'euro-half' },
      count: kegs,
      purchase: { costMinor: 10_000, depositMinor: 3_000, location: 'Cellar' },
    },
    { actor: systemActor, now: at(0) },
  ).result;
  engine.purchases.change(ids.at(-1)!, { bestBefore: '2026-05-10' }, { actor: systemActor, now: at(0) });
  const line = (counted: number, more: object = {}) => ({
    beverageId,
    sizeKey: 'euro-half',
    counted,
    ...more,
  });
  return {
    ...bar,
    beverageId,
    ids,
    line,
    count: (lines: readonly ReturnType<typeof line>[], isAdjusted = true) =>
      engine.stockCounts.add({ lines, isAdjusted, note: 'End of May' }, context),
    inStock: () =>
      engine.kegs
        .list({ state: 'available' })
        .items.map(({ id }) => id)
        .toSorted((a, b) => a - b),
  };
}

test('the sheet has the kegs in stock by beverage and size, not those on taps', () => {
  const { engine, beverageId } = openStock();
  engine.kegs.create({ beverage: { id: beverageId }, sizeKey: 'corny' }, at(minute));
  expect(engine.stockCounts.sheet()).toMatchObject([
    { beverage: 'Lager', sizeKey: 'corny', expected: 1, locations: [] },
    { beverage: 'Lager', sizeKey: 'euro-half', fullVolumeMl: 50_000, expected: 3, locations: ['Cellar'] },
  ]);
});

test('a missing keg is ended at its cost, that first that should be used first, and is no evidence', () => {
  const { engine, store, ids, line, count, inStock } = openStock();
  const { result } = count([line(2, { reason: 'given_away' })]);
  expect(result).toMatchObject({
    isAdjusted: true,
    note: 'End of May',
    lines: [{ beverage: 'Lager', expected: 3, counted: 2, reason: 'given_away', valueMinor: -10_000 }],
  });
  expect(inStock()).toEqual(ids.slice(0, 2));
  expect(engine.kegs.get(ids[2]!)).toMatchObject({ state: 'finished', ranDry: false });
  expect(store.taps.meterEvidence.byKeg(ids[2]!)).toBeNull();
  expect(engine.stock.view(at(hour)).depositsOut.map(({ kegId }) => kegId)).toEqual([ids[2]]);
});

test('missing kegs cost what each of them did, and nothing is said where the cost of one is not known', () => {
  const { engine, ids, line, count } = openStock();
  const actor = { actor: systemActor, now: at(0) };
  const costOf = (counted: number) => count([line(counted)], false).result.lines[0]!.valueMinor;
  engine.purchases.change(ids[0]!, { costMinor: 11_000 }, actor);
  engine.purchases.change(ids[2]!, { costMinor: 12_500 }, actor);
  // The last one should be used first; the other two came on one day.
  expect([costOf(2), costOf(1), costOf(0)]).toEqual([-12_500, -23_500, -33_500]);
  engine.purchases.change(ids[1]!, { costMinor: null }, actor);
  expect([costOf(1), costOf(0)]).toEqual([-23_500, null]);
});

test('a found keg is added to the stock, at the cost of the last delivery', () => {
  const { line, count, inStock, ids } = openStock();
  const { result } = count([line(5, { reason: 'not_recorded' })]);
  expect(result.lines).toMatchObject([{ expected: 3, counted: 5, valueMinor: 20_000 }]);
  expect(inStock()).toHaveLength(5);
  expect(inStock().slice(0, 3)).toEqual(ids);
});

test('a count that agrees changes no keg and needs no reason', () => {
  const { line, count, inStock, ids } = openStock();
  expect(count([line(3, { reason: 'spoiled' })]).result.lines).toMatchObject([
    { reason: null, valueMinor: null },
  ]);
  expect(inStock()).toEqual(ids);
});

test('a count that is not to correct the stock changes no keg', () => {
  const { line, count, inStock, ids, engine } = openStock();
  count([line(1)], false);
  expect(inStock()).toEqual(ids);
  expect(engine.stockCounts.list({}).items).toMatchObject([
    { isAdjusted: false, lines: [{ reason: 'unknown' }] },
  ]);
});

test('a count is undone as a whole, also what it added', () => {
  const { engine, line, count, inStock, ids, beverageId } = openStock();
  const before = ids.map((id) => engine.kegs.get(id));
  const { correctionId } = count([line(1), { beverageId, sizeKey: 'corny', counted: 2 }]);
  expect(inStock()).toHaveLength(3);
  engine.corrections.undo(correctionId!, { actor: systemActor }, at(2 * hour));
  expect(ids.map((id) => engine.kegs.get(id))).toEqual(before);
  expect(inStock()).toEqual(ids);
  expect(engine.stockCounts.list({}).items).toEqual([]);
});

test('a count is not undone after one of its kegs was put on a tap', () => {
  const { engine, line, count, right, inStock } = openStock();
  const { correctionId } = count([line(4)]);
  engine.kegs.attach(right.id, inStock().at(-1)!, at(hour), systemActor);
  expect(() => engine.corrections.undo(correctionId!, { actor: systemActor }, at(2 * hour))).toThrow(
    conflict('record_changed_since'),
  );
});

test('a count is refused when a keg left the stock meanwhile, and nothing is stored', () => {
  const { engine, line, count, ids, right } = openStock();
  engine.kegs.attach(right.id, ids[0]!, at(0), systemActor);
  expect(() => count([line(3, { expected: 3 })])).toThrow(conflict('stock_changed'));
  expect(engine.stockCounts.list({}).items).toEqual([]);
});

test('each kind is counted once, with a number that can be', () => {
  const { line, count } = openStock();
  const invalid = expect.objectContaining({ code: 'invalid_request' });
  expect(() => count([line(3), line(2)])).toThrow(invalid);
  expect(() => count([line(-1)])).toThrow(invalid);
  expect(() => count([line(1_001)])).toThrow(invalid);
  expect(() => count([])).toThrow(invalid);
});

test('whatever is counted, the stock is what was counted, and the undo restores it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 9 }), (kegs, counted) => {
      const { engine, line, count, inStock, ids } = openStock(kegs);
      const { correctionId } = count([line(counted)]);
      expect(inStock()).toHaveLength(counted);
      engine.corrections.undo(correctionId!, { actor: systemActor }, at(2 * hour));
      expect(inStock()).toEqual(ids);
    }),
    { numRuns: 30 },
  );
});
