import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { meterEvidenceTable, type NewEvidence } from '../../../src/store/taps/meter-evidence-table.ts';

let db: Database;
let table: ReturnType<typeof meterEvidenceTable>;

beforeEach(() => {
  db = openDatabase(':memory:');
  // Keg 1 was on tap from 1 000 to 2 000, keg 2 from 3 000 on.
  db.exec(`
    INSERT INTO producers (id, name, country) VALUES (1, 'Brewery', 'BEL');
    INSERT INTO beverages (id, name, producer_id, beverage_type, color_hex) VALUES (1, 'Ale', 1, 'beer', '#C35900');
    INSERT INTO kegs (id, beverage_id, size_id, state, full_volume_ml, description, notes, created_time_ms, started_time_ms, finished_time_ms)
      VALUES (1, 1, 1, 'finished', 5000, '', '', 0, 1000, 2000), (2, 1, 1, 'on_tap', 5000, '', '', 0, 3000, NULL);`);
  table = meterEvidenceTable(db, ['scale']);
});
afterEach(() => db.close());

const evidence: NewEvidence = {
  meterId: 7,
  kind: 'emptied_keg',
  ticks: 5_000,
  volumeMl: 4_950,
  u: 0.01,
  fillGroup: null,
  timeMs: 2_000,
  kegId: null,
  calibrationId: null,
  isFit: true,
};

test('a keg was on tap from its first to its last millisecond', () => {
  for (const kegId of [1, 2]) table.add({ ...evidence, kegId });
  expect([999, 1_000, 2_000, 2_001, 2_999, 3_000, 9_999].map((ms) => table.kegsAt(7, ms))).toEqual([
    [],
    [1],
    [1],
    [],
    [],
    [2],
    [2],
  ]);
  expect(table.kegsAt(8, 1_500)).toEqual([]);
});

test.each([
  [0, 999, []],
  [0, 1_000, [1]],
  [2_000, 2_999, [1]],
  [2_001, 2_999, []],
  [2_001, 3_000, [2]],
  [2_000, 3_000, [1, 2]],
  [1_200, 1_300, [1]],
  [5_000, 6_000, [2]],
])('of a span from %i to %i both ends count', (sinceMs, untilMs, expected) => {
  for (const kegId of [1, 2]) table.add({ ...evidence, kegId });
  expect(table.kegsDuring(7, { sinceMs, untilMs }).toSorted()).toEqual(expected);
  expect(table.kegsDuring(8, { sinceMs, untilMs })).toEqual([]);
});

test('evidence is read as it was added, and with what was changed since', () => {
  const added = {
    ...evidence,
    kind: 'weighed_keg',
    fillGroup: 'size-1',
    kegId: 1,
    isFit: false,
    incompleteReason: 'spilled',
  } as const;
  const id = table.add(added);
  const stored = { ...added, id, pouredKegId: null, isDiscarded: false };
  expect(table.byId(id)).toEqual(stored);
  expect(table.byKeg(1)).toEqual(stored);
  expect(table.byPouredKeg(1, 'scale')).toBeNull();
  const measure = {
    kind: 'emptied_keg',
    ticks: 1,
    volumeMl: 2,
    u: 0.5,
    fillGroup: null,
    timeMs: 3,
    isFit: true,
    incompleteReason: null,
  } as const;
  table.setMeasure(id, measure);
  table.setDiscarded(id, true);
  expect(table.byId(id)).toEqual({ ...stored, ...measure, isDiscarded: true });
});

test('a kind that no extension declares is not added', () => {
  const scaled = { ...evidence, pouredKegId: 1, kind: 'scale' } as const;
  expect(() => meterEvidenceTable(db).add(scaled)).toThrow('No kind "scale" of evidence is declared.');
  expect(table.byId(table.add(scaled))).toMatchObject({ kind: 'scale', pouredKegId: 1 });
});

test('the newest are of one meter, oldest first; each origin is removed alone', () => {
  const ids = [
    table.add({ ...evidence, kegId: 1 }),
    table.add({ ...evidence, calibrationId: 1, kind: 'pours' }),
    table.add({ ...evidence, pouredKegId: 1, kind: 'scale' }),
  ];
  table.add({ ...evidence, meterId: 8, kegId: 2 });
  const newest = (limit: number) => table.newest(7, limit).map(({ id }) => id);
  expect(newest(2)).toEqual(ids.slice(1));
  expect([table.newestId(7), table.newestId(9)]).toEqual([ids[2], 0]);
  table.removeByKeg(1);
  expect(newest(9)).toEqual([ids[1], ids[2]]);
  table.removeByPouredKeg(1, 'scale');
  expect(newest(9)).toEqual([ids[1]]);
  table.removeByCalibration(1);
  expect(newest(9)).toEqual([]);
  table.takeOver(7, 8);
  expect(table.byKeg(2)?.meterId).toBe(7);
});
