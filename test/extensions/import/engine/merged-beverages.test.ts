import { expect, test } from 'vitest';
import { loadExtensions, systemActor } from '../../../../src/engine/engine.ts';
import { historyImport } from '../../../../src/extensions/import/extension.ts';
import type { ImportsTable } from '../../../../src/extensions/import/store/imports-table.ts';
import { at, openEmptyBar } from '../../../engine/bar.ts';
import { switchOn } from '../../../kit/extensions.ts';

const on = await switchOn([historyImport]);
const off = { ...on, engine: await loadExtensions([historyImport], () => false) };
const context = { actor: systemActor, now: at(0) };
const record = { fingerprint: '', spilledMl: 0, isCreated: true };

test.each([
  ['on', on],
  ['off', off],
])(
  'while the import is %s, what was imported follows merges of beverages and their undo',
  (_name, switchedOn) => {
    const { engine, store, left, right } = openEmptyBar(':memory:', {}, switchedOn);
    const start = (tapId: number, name: string) =>
      engine.kegs.start(
        tapId,
        { beverage: { name, producerName: 'Brewery', styleName: '' }, sizeKey: 'euro' },
        at(0),
      );
    const keptId = start(left.id, 'Lager').beverageId;
    const removedId = start(right.id, 'Lagr').beverageId;
    const tables = store.tablesOf(historyImport) as ImportsTable;
    const sources = [tables.addSource('http://one'), tables.addSource('http://two')] as const;
    tables.put(sources[0], 'beverage', 'old', { ...record, localId: removedId });
    tables.put(sources[1], 'beverage', '7', { ...record, localId: removedId });
    tables.put(sources[1], 'beverage', '8', { ...record, localId: keptId });
    // An account and a keg with the id of the beverage are something else.
    tables.put(sources[1], 'user', '7', { ...record, localId: removedId });
    tables.put(sources[1], 'keg', '7', { ...record, localId: removedId });
    const read = () =>
      [
        tables.record(sources[0], 'beverage', 'old'),
        tables.record(sources[1], 'beverage', '7'),
        tables.record(sources[1], 'beverage', '8'),
        tables.record(sources[1], 'user', '7'),
        tables.record(sources[1], 'keg', '7'),
      ].map((one) => one?.localId);
    const before = read();

    const mergeId = engine.kegs.merges.mergeBeverages({ keptId, removedId }, context);
    expect(read()).toEqual([keptId, keptId, keptId, removedId, removedId]);
    engine.kegs.merges.undo(mergeId, context);
    expect(read()).toEqual(before);
    expect(store.faults()).toEqual([]);
  },
);
