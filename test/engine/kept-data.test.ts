import { expect, test } from 'vitest';
import { defineExtension } from '../../src/extensions/extension.ts';
import type { Database } from '../../src/store/database.ts';
import type { StoreExtension } from '../../src/store/extension.ts';
import { insertDrink } from '../kit/drinks/insert-drink.ts';
import { switchOn } from '../kit/extensions.ts';
import { at, hour, openBar } from './bar.ts';

/** Visitors of the bar, who are forgotten after an hour, and a tax that the prices of some sizes contain. */
const visitors: StoreExtension<ReturnType<typeof visitorTables>> = {
  name: 'visitors',
  schema: `
    CREATE TABLE visitors (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, name TEXT NOT NULL) STRICT;
    CREATE TABLE size_taxes (size_id INTEGER PRIMARY KEY, basis_points INTEGER NOT NULL) STRICT;`,
  tables: visitorTables,
  exports: [
    { kind: 'visitors', table: 'visitors', time: 'x.time_ms', columns: 'x.id, x.time_ms AS time, x.name' },
  ],
  includedTax: ({ sizeId }) => `(SELECT basis_points FROM size_taxes WHERE size_id = ${sizeId})`,
  oldRecords({ names, removeBefore }, nowMs) {
    return names.all().length === 0 ? null : () => void removeBefore.run(nowMs - hour);
  },
};
const switchedOn = await switchOn([defineExtension({ ...visitors, isOnByDefault: true })]);

function visitorTables(db: Database) {
  return {
    add: db.prepare<[number, string]>('INSERT INTO visitors (time_ms, name) VALUES (?, ?)'),
    addTax: db.prepare<[number, number]>('INSERT INTO size_taxes VALUES (?, ?)'),
    removeBefore: db.prepare<[number]>('DELETE FROM visitors WHERE time_ms < ?'),
    names: db.prepare<[], string>('SELECT name FROM visitors ORDER BY id').pluck(),
  };
}

/** A bar whose extension is on or off. */
function open({ isOn = true } = {}) {
  const bar = openBar(':memory:', {}, switchedOn);
  if (!isOn) bar.engine.useExtensions([]);
  return { ...bar, tables: bar.store.tablesOf(visitors) };
}

test.each([{ isOn: true }, { isOn: false }])(
  'what an extension keeps for some time is deleted once the clock is set (on: $isOn)',
  (state) => {
    const { engine, tables } = open(state);
    tables.add.run(at(0).wallMs, 'Anna');
    tables.add.run(at(hour).wallMs, 'Bert');
    engine.site.oldRecords.remove(at(1.5 * hour, { synced: false }));
    expect(tables.names.all()).toEqual(['Anna', 'Bert']);
    engine.site.oldRecords.remove(at(1.5 * hour));
    expect(tables.names.all()).toEqual(['Bert']);
  },
);

test.each([{ isOn: true }, { isOn: false }])('its records are exported and counted (on: $isOn)', (state) => {
  const { engine, tables } = open(state);
  tables.add.run(at(0).wallMs, 'Anna');
  const pieces = engine.reports.exports.pieces({ kind: 'visitors', format: 'csv' }, async () => {});
  expect([...(pieces as Iterable<string>)].join('')).toBe('id,time,name\r\n1,2026-05-01T18:00:00Z,Anna\r\n');
  expect(engine.reports.exports.counts({})).toContainEqual({ kind: 'visitors', rows: 1 });
  expect(() => engine.reports.exports.pieces({ kind: 'guests', format: 'csv' }, async () => {})).toThrow(
    /must be one of .*visitors/,
  );
});

test.each([{ isOn: true }, { isOn: false }])(
  'the value of what was poured is that without the tax in its price (on: $isOn)',
  (state) => {
    const { engine, store, tables, keg, left } = open(state);
    const [size] = engine.kegs.prices.servingSizes();
    const by = { actor: { userId: null, via: 'console' as const }, now: at(0) };
    engine.kegs.prices.setOfBeverage(keg.beverageId, [{ sizeId: size!.id, priceMinor: 1_190 }], by);
    const pour = { tap: left.id, ticks: 1, volumeMl: size!.volumeMl, source: 'post' as const };
    insertDrink(store, pour, at(hour));
    const value = () => engine.reports.day('2026-05-01', at(2 * hour)).revenueMinor;
    expect(value()).toBeCloseTo(1_190, 6);
    tables.addTax.run(size!.id, 1_900);
    insertDrink(store, { ...pour, volumeMl: 2 * size!.volumeMl }, at(hour));
    expect(value()).toBeCloseTo(3_000, 6);
  },
);
