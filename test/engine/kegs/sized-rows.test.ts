import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { defineExtension } from '../../../src/extensions/extension.ts';
import { restoredTable } from '../../../src/store/shared/restored-rows.ts';
import { switchOn } from '../../kit/extensions.ts';
import { at, hour, minute, openBar } from '../bar.ts';

const glasses = restoredTable('glasses');
const engravings = restoredTable('engravings');
const flights = restoredTable('flights');

/** Glasses of beers by size with what is engraved on them, and flights that know how much a taster of theirs holds. */
const glassware = defineExtension({
  name: 'glassware',
  isOnByDefault: true,
  schema: `
    CREATE TABLE glasses (
      id INTEGER PRIMARY KEY,
      beverage_id INTEGER NOT NULL REFERENCES beverages (id) ON DELETE CASCADE,
      size_id INTEGER NOT NULL REFERENCES serving_sizes (id) ON DELETE CASCADE
    ) STRICT;
    CREATE TABLE engravings (
      id INTEGER PRIMARY KEY,
      glass_id INTEGER NOT NULL REFERENCES glasses (id) ON DELETE CASCADE,
      words TEXT NOT NULL
    ) STRICT;
    CREATE TABLE flights (
      id INTEGER PRIMARY KEY,
      size_id INTEGER REFERENCES serving_sizes (id) ON DELETE SET NULL,
      volume_ml REAL
    ) STRICT;`,
  beverageIds: [
    {
      table: 'glasses',
      column: 'beverage_id',
      key: ['id'],
      where: 'size_id NOT IN (SELECT size_id FROM glasses WHERE beverage_id = @to)',
    },
  ],
  restoredRows: [
    {
      table: glasses,
      beverageColumn: 'beverage_id',
      size: { column: 'size_id', withoutSize: 'deleted' },
    },
    { table: engravings, owner: { table: glasses, column: 'glass_id' } },
    { table: flights, size: { column: 'size_id', withoutSize: 'kept' }, keepsLaterChanges: true },
  ],
  beforeSizeDeletion: [
    `UPDATE flights SET volume_ml = (SELECT volume_ml FROM serving_sizes WHERE id = @id) WHERE size_id = @id`,
  ],
});
const switchedOn = await switchOn([glassware]);
const context = { actor: systemActor, now: at(minute) };

/** A bar with an engraved glass of the Lager and a flight, both of the last serving size. */
function open() {
  const bar = openBar(':memory:', {}, switchedOn);
  const { engine, store, keg } = bar;
  const sizes = engine.kegs.prices.servingSizes();
  const size = sizes.at(-1)!;
  store.transaction(() => {
    store.drinks.rows.insert(glasses, { id: 7, beverage_id: keg.beverageId, size_id: size.id });
    store.drinks.rows.insert(engravings, { id: 8, glass_id: 7, words: 'Prost' });
    store.drinks.rows.insert(flights, { id: 9, size_id: size.id, volume_ml: null });
  });
  return {
    ...bar,
    sizes,
    size,
    rows: () => [glasses, engravings, flights].map((table) => store.drinks.rows.all(table)),
    removeSize: () => engine.kegs.prices.setServingSizes(sizes.slice(0, -1), context).correctionId!,
    undo: (id: number | null) => engine.corrections.undo(id!, { actor: systemActor }, at(hour)),
  };
}

test('rows of an extension go with a deleted beverage with those that belong to them, and come back with it', () => {
  const { engine, left, keg, rows, undo } = open();
  const before = rows();
  engine.kegs.endOnTap(left.id, at(minute));
  engine.kegs.remove(keg.id, context);
  const { correctionId } = engine.kegs.catalogue.removeBeverage(keg.beverageId, context);
  expect(rows()).toEqual([[], [], before[2]]);
  undo(correctionId);
  expect(rows()).toEqual(before);
});

test('they go with a deleted serving size or stay without it, as they say, and an undo restores them', () => {
  const { size, rows, removeSize, undo } = open();
  const before = rows();
  const removed = removeSize();
  expect(rows()).toEqual([[], [], [{ id: 9, size_id: null, volume_ml: size.volumeMl }]]);
  undo(removed);
  expect(rows()).toEqual(before);
});

test('a row that was changed since stays as it is, and the others are restored', () => {
  const { store, rows, removeSize, undo } = open();
  const [before] = rows();
  const removed = removeSize();
  store.transaction(() => store.drinks.rows.update(flights, 9, { volume_ml: 100 }));
  undo(removed);
  expect(rows()).toMatchObject([before, [{ id: 8 }], [{ size_id: null, volume_ml: 100 }]]);
});

test('an undo takes no serving size away that such a row has got since', () => {
  const { engine, store, sizes, undo } = open();
  const stein = { id: null, volumeMl: 777, name: 'Stein', names: {} };
  const added = engine.kegs.prices.setServingSizes([...sizes, stein], context);
  store.transaction(() => store.drinks.rows.update(flights, 9, { size_id: added.result.at(-1)!.id }));
  expect(() => undo(added.correctionId)).toThrow(/changed again since/);
});

test('a merge moves the rows for which it holds, and its undo moves them back', () => {
  const { engine, store, keg, size, rows } = open();
  const { producer } = engine.kegs.catalogue.beverage(keg.beverageId)!;
  const other = engine.kegs.catalogue.addBeverage({ name: 'Helles', producerId: producer.id }, context);
  const before = rows();
  const merge = () =>
    engine.kegs.merges.mergeBeverages({ keptId: other.id, removedId: keg.beverageId }, context);
  const moved = merge();
  expect(rows()[0]).toMatchObject([{ id: 7, beverage_id: other.id }]);
  engine.kegs.merges.undo(moved, context);
  expect(rows()).toEqual(before);
  store.transaction(() =>
    store.drinks.rows.insert(glasses, { id: 10, beverage_id: other.id, size_id: size.id }),
  );
  merge();
  expect(rows()[0]).toEqual([{ id: 10, beverage_id: other.id, size_id: size.id }]);
});
