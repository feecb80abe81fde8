import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { sales as extension } from '../../../../src/extensions/sales/extension.ts';
import { at, hour, openingMs } from '../../../engine/bar.ts';
import { insertDrink } from '../../../kit/drinks/insert-drink.ts';
import { openSalesBar, salesOn } from './sales-bar.ts';

const day = 24 * hour;
const today = { first: '2026-05-01', last: '2026-05-01' };
const by = (afterMs = 0) => ({ actor: systemActor, now: at(afterMs) });

/** A bar with a line of half a litre of Lager that Anna rang up; `off` and `on` switch the feature. */
function open() {
  const bar = openSalesBar();
  const { engine, sales, till, sizes, beverageId } = bar;
  engine.personBalances.turnOn({ reason: 'Agreed with all staff.', days: 7 }, by());
  const time = { timeMs: openingMs, kind: 'sale' as const, quantity: 1 };
  const item = { itemKey: 'Half', itemName: 'Half', variant: '', category: '' };
  const amounts = { grossMinor: null, discountMinor: null, netMinor: 400 };
  const line = { externalId: '1', checkId: '', seller: 'Anna', ...time, ...item, ...amounts };
  sales.api.receive(till.name, { timeMeaning: 'ring', lines: [line] }, by());
  const { id } = sales.tills.items(till.id)[0]!;
  const size = sizes.at(-1)!;
  const components = [{ beverageId, sizeId: size.id, count: 1, liquidMl: null }];
  sales.tills.mapItem(id, { components }, by());
  const serving = { sizeId: size.id, liquidMl: 429, taxBasisPoints: 1_900, codes: ['Half'] };
  sales.servings.setOfBeverage(beverageId, [serving], by());
  return {
    ...bar,
    size,
    components: () => sales.tills.item(id).mappings[0]!.components,
    servings: () => sales.servings.ofBeverage(beverageId).filter(({ codes }) => codes.length > 0),
    sellers: () => sales.lines({}).items.map(({ seller }) => seller),
    off: () => engine.useExtensions([]),
    on: () => engine.useExtensions(salesOn.engine.loaded),
    undo: (correction: number | null) => engine.corrections.undo(correction!, by(), at(hour)),
  };
}

test('its services are gone, and it raises no alarm', () => {
  const { engine, off } = open();
  off();
  expect(() => engine.serviceOf(extension)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(engine.hooks.alarmConditions(at(7 * day))).toEqual([]);
});

test('names of sellers are removed after the days for which they are kept while it is off', () => {
  const { engine, sellers, off } = open();
  off();
  engine.site.oldRecords.remove(at(6 * day));
  engine.site.oldRecords.remove(at(8 * day, { synced: false }));
  expect(sellers()).toEqual(['Anna']);
  engine.site.oldRecords.remove(at(8 * day));
  expect(sellers()).toEqual([null]);
});

test('the name of an erased person goes while it is off', () => {
  const { engine, sellers, off } = open();
  engine.users.addUser({ username: 'anna' }, at(0));
  off();
  engine.users.personalData.erase('anna', systemActor, at(hour));
  for (let step = 0; step < 50; step += 1) engine.users.personalData.continueErasure();
  expect(sellers()).toEqual([null]);
});

test('a serving size that is deleted while it is off leaves products as they were, and comes back with all that used it', () => {
  const { engine, sizes, size, components, servings, off, undo } = open();
  const before = { components: components(), servings: servings() };
  off();
  const { correctionId } = engine.kegs.prices.setServingSizes(
    sizes.filter(({ id }) => id !== size.id),
    by(hour),
  );
  expect(components()).toMatchObject([{ sizeId: null, liquidMl: 429 }]);
  expect(servings()).toEqual([]);
  undo(correctionId);
  expect({ components: components(), servings: servings() }).toEqual(before);
});

test('servings come back with a beer that is deleted, and go with one that is merged, while it is off', () => {
  const { engine, beverageId, keg, left, store, components, servings, off, undo } = open();
  const before = servings();
  const { producer } = engine.kegs.catalogue.beverage(beverageId)!;
  const other = engine.kegs.catalogue.addBeverage({ name: 'Helles', producerId: producer.id }, by());
  off();
  const merge = engine.kegs.merges.mergeBeverages({ keptId: other.id, removedId: beverageId }, by(hour));
  expect(components()).toMatchObject([{ beverageId: other.id }]);
  expect(store.servings.byBeverage(other.id)).toMatchObject([{ codes: ['Half'] }]);
  engine.kegs.merges.undo(merge, by(hour));
  expect(components()).toMatchObject([{ beverageId }]);
  expect(servings()).toEqual(before);
  engine.kegs.endOnTap(left.id, at(hour));
  engine.kegs.remove(keg.id, by(hour));
  const { correctionId } = engine.kegs.catalogue.removeBeverage(beverageId, by(hour));
  expect(store.servings.byBeverage(beverageId)).toEqual([]);
  undo(correctionId);
  expect(servings()).toEqual(before);
});

test('the value of what was poured stays that without the tax of the serving', () => {
  const { engine, store, left, size, beverageId, till, sales, off } = open();
  sales.tills.change(till.id, { includedTaxBasisPoints: 700 }, by());
  engine.kegs.prices.setOfBeverage(beverageId, [{ sizeId: size.id, priceMinor: 476 }], by());
  insertDrink(store, { tap: left.id, ticks: 1, volumeMl: size.volumeMl }, at(hour));
  const value = () => engine.reports.span(today, at(2 * hour)).revenueMinor;
  expect(value()).toBeCloseTo(400, 3);
  off();
  insertDrink(store, { tap: left.id, ticks: 1, volumeMl: size.volumeMl }, at(hour));
  expect(value()).toBeCloseTo(800, 3);
});
