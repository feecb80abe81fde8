import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/engine.ts';
import { defineExtension } from '../../../src/extensions/extension.ts';
import { restoredTable } from '../../../src/store/shared/restored-rows.ts';
import { switchOn } from '../../kit/extensions.ts';
import { at, hour, minute, openBar, openEmptyBar } from '../bar.ts';

const table = restoredTable('keg_crates');
const crates = defineExtension({
  name: 'crates',
  isOnByDefault: true,
  schema: `CREATE TABLE keg_crates (
    id INTEGER PRIMARY KEY,
    keg_id INTEGER NOT NULL REFERENCES kegs (id) ON DELETE CASCADE,
    crate TEXT NOT NULL
  ) STRICT;`,
  restoredRows: [{ table, kegColumn: 'keg_id' }],
});
const switchedOn = await switchOn([crates]);
const context = { actor: systemActor, now: at(minute) };

/** A bar with a deleted keg that had a row in the table of an extension. */
function deleteKegInCrate(file: string) {
  const bar = openBar(file, {}, switchedOn);
  const { engine, store, keg } = bar;
  const spare = engine.kegs.create({ beverage: { id: keg.beverageId } }, at(0));
  const row = { id: 7, keg_id: spare.id, crate: 'C1' };
  store.transaction(() => store.drinks.rows.insert(table, row));
  return { ...bar, spare, row, removed: engine.kegs.remove(spare.id, context).correctionId! };
}

test('rows of an extension go with a deleted keg, and come back with it', () => {
  const { engine, store, row, removed } = deleteKegInCrate(':memory:');
  expect(store.drinks.rows.all(table)).toEqual([]);
  engine.corrections.undo(removed, { actor: systemActor }, at(hour));
  expect(store.drinks.rows.all(table)).toEqual([row]);
});

test('a keg comes back without them once the extension is gone', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'crates-')), 'tapster.db');
  const { store, spare, removed } = deleteKegInCrate(file);
  store.close();
  const { engine, store: without } = openEmptyBar(file);
  engine.corrections.undo(removed, { actor: systemActor }, at(hour));
  expect(engine.kegs.get(spare.id)).toMatchObject({ state: 'available' });
  expect(without.drinks.rows.all(table)).toEqual([]);
});
