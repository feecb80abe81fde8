import { expect, test } from 'vitest';
import { at, hour, minute, openingMs, pour } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

function barWithStaff() {
  const bar = openCleaningBar();
  const ana = bar.engine.users.addUser({ username: 'ana' }, at(0));
  const actor = { userId: ana.id, via: 'page' as const };
  const by = (afterMs: number) => ({ actor, now: at(afterMs) });
  return { ...bar, by };
}

const dayMs = 24 * hour;
const entry = {
  agent: 'Cleaner 2000',
  concentrationPercent: 2,
  tempC: 40,
  contactMinutes: 15,
  method: 'recirculation',
  rinsePh: 7.2,
  result: 'passed',
  note: 'Faucet brushed',
} as const;

test('an entry says who cleaned which line and beer, when, with what, and how it ended', () => {
  const { engine, left, by } = barWithStaff();
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, by(minute));
  engine.cleanings.finish(id, { ...entry, checkedBy: 'B. Boss' }, by(hour));
  const [logged] = engine.cleanings.log({}).items;
  expect(logged?.entries).toMatchObject([
    {
      ...entry,
      username: 'ana',
      checkedBy: 'B. Boss',
      cleanedBy: null,
      tapName: 'Left',
      beverage: 'Lager',
      kind: 'caustic',
      startedMs: openingMs + minute,
      endedMs: openingMs + hour,
      correctsId: null,
      isWithdrawn: false,
    },
  ]);
  expect(engine.audit.list({ action: 'cleaning.logged' }).items).toMatchObject([
    { subject: { kind: 'cleaning', id: String(id) } },
  ]);
});

test('a correction is a new entry that names the one it corrects, which stays as it was', () => {
  const { engine, store, left, by } = barWithStaff();
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, by(minute));
  engine.cleanings.finish(id, entry, by(hour));
  const first = engine.cleanings.get(id).entries[0]!;
  const corrected = engine.cleanings.correctEntry(
    id,
    { entryId: first.id, rinsePh: 9, result: 'failed' },
    by(2 * hour),
  );
  expect(corrected.entries).toMatchObject([
    { correctsId: first.id, rinsePh: 9, result: 'failed', agent: entry.agent, timeMs: openingMs + 2 * hour },
    first,
  ]);
  const again = () => engine.cleanings.correctEntry(id, { entryId: first.id, rinsePh: 8 }, by(3 * hour));
  expect(again).toThrow(
    expect.objectContaining({ code: 'conflict', reason: { name: 'entry_corrected_since' } }),
  );
  const withdrawn = engine.cleanings.withdrawEntry(
    id,
    { entryId: corrected.entries[0]!.id, note: 'Wrong tap' },
    by(4 * hour),
  );
  expect(withdrawn.entries.map(({ isWithdrawn }) => isWithdrawn)).toEqual([true, false, false]);
  expect(engine.cleanings.log({}).total).toBe(1);
  // No statement of the table changes or deletes an entry.
  expect(Object.keys(store.cleaningEntries).sort()).toEqual([
    'add',
    'cleaningIds',
    'count',
    'lastDone',
    'lastResult',
    'of',
  ]);
});

test('a withdrawn entry stays withdrawn when it is corrected', () => {
  const { engine, left, by } = barWithStaff();
  const { cleanings } = engine;
  const { id } = cleanings.start({ tapId: left.id, kind: 'caustic' }, by(minute));
  cleanings.finish(id, entry, by(hour));
  const newestId = () => cleanings.get(id).entries[0]!.id;
  cleanings.withdrawEntry(id, { entryId: newestId(), note: null }, by(2 * hour));
  cleanings.correctEntry(id, { entryId: newestId(), note: 'Was the right line' }, by(3 * hour));
  expect(cleanings.get(id).entries.map(({ isWithdrawn }) => isWithdrawn)).toEqual([true, true, false]);
  expect(cleanings.daysSinceCleaning(left.id, by(4 * hour).now)).toBeNull();
  expect(engine.audit.list({ action: 'cleaning.withdrawn' }).total).toBe(1);
});

test('an entry that was withdrawn by mistake is entered again, and counts and loses its beer as before', () => {
  const { engine, left, keg, by } = barWithStaff();
  const { cleanings } = engine;
  const times = { startedMs: openingMs, endedMs: openingMs + hour };
  const request = { tapId: left.id, kind: 'caustic' as const, ...times, ...entry, beerLostMl: 700 };
  const { id } = cleanings.addManual(request, by(hour));
  const newestId = () => cleanings.get(id).entries[0]!.id;
  cleanings.withdrawEntry(id, { entryId: newestId(), note: null }, by(2 * hour));
  cleanings.correctEntry(id, { entryId: newestId(), isWithdrawn: false, note: 'It was' }, by(3 * hour));
  expect(cleanings.get(id).entries.map(({ isWithdrawn }) => isWithdrawn)).toEqual([false, true, false]);
  expect(cleanings.daysSinceCleaning(left.id, by(4 * hour).now)).toBe(0);
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 700 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('the log is filtered by tap and time, newest first', () => {
  const { engine, left, right, by } = barWithStaff();
  const manual = (tapId: number, startedMs: number) =>
    engine.cleanings.addManual(
      { tapId, kind: 'caustic', startedMs, endedMs: startedMs + hour, ...entry },
      by(0),
    ).id;
  const ids = [
    manual(left.id, openingMs - 30 * dayMs),
    manual(right.id, openingMs - 20 * dayMs),
    manual(left.id, openingMs - 10 * dayMs),
  ];
  const list = (query: Parameters<typeof engine.cleanings.log>[0]) =>
    engine.cleanings.log(query).items.map(({ id }) => ids.indexOf(id));
  expect(list({})).toEqual([2, 1, 0]);
  expect(list({ tapId: left.id })).toEqual([2, 0]);
  expect(list({ sinceMs: openingMs - 25 * dayMs, untilMs: openingMs - 15 * dayMs })).toEqual([1]);
  expect(list({ limit: 1 })).toEqual([2]);
});

test('beer of a cleaning that was entered afterwards is lost until the entry is withdrawn', () => {
  const { engine, left, keg, by } = barWithStaff();
  const times = { startedMs: openingMs, endedMs: openingMs + hour };
  const request = { tapId: left.id, kind: 'caustic' as const, ...times, ...entry, beerLostMl: 700 };
  const view = engine.cleanings.addManual(request, by(hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 700 });
  engine.cleanings.withdrawEntry(view.id, { entryId: view.entries[0]!.id, note: null }, by(2 * hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 0 });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a cleaning that was entered afterwards has the keg and the beer that were on the tap then', () => {
  const { engine, left, keg, by } = barWithStaff();
  const beverage = { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' };
  engine.drinks.pours.record(pour(at(hour)), 'pin', at(hour));
  engine.kegs.end(keg.id, at(10 * hour));
  const next = engine.kegs.start(left.id, { beverage, sizeKey: 'euro-30-liter' }, at(12 * hour));
  engine.drinks.pours.record(pour(at(14 * hour)), 'pin', at(14 * hour));
  const enter = (startedMs: number) => {
    const request = { tapId: left.id, kind: 'caustic' as const, startedMs, endedMs: startedMs + minute };
    const { kegId, entries } = engine.cleanings.addManual({ ...request, beerLostMl: 100 }, by(20 * hour));
    return [kegId, entries[0]?.beverage];
  };
  expect([-hour, 9 * hour, 11 * hour, 13 * hour, 15 * hour].map((ms) => enter(openingMs + ms))).toEqual([
    [null, null],
    [keg.id, 'Lager'],
    [null, null],
    [next.id, 'Ale'],
    [next.id, 'Ale'],
  ]);
  expect(engine.kegs.get(keg.id)).toMatchObject({ spilledVolumeMl: 100 });
  // A keg that is gone since and poured nothing before the cleaning, but after it.
  engine.kegs.end(next.id, at(21 * hour));
  expect(enter(openingMs + 13 * hour)).toEqual([next.id, 'Ale']);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test.each([
  ['ended_time', { endedMs: openingMs - 1 }],
  ['ended_time', { endedMs: openingMs + 25 * hour }],
  ['concentration_percent', { concentrationPercent: 101 }],
  ['temp_c', { tempC: -1 }],
  ['rinse_ph', { rinsePh: 14.1 }],
  ['agent', { agent: 'x'.repeat(129) }],
  ['note', { note: 'x'.repeat(2_001) }],
  ['method', { method: 'magic' as 'other' }],
  ['result', { result: 'fine' as 'passed' }],
  ['beer_lost_ml', { beerLostMl: -1 }],
])('an entry with a wrong %s is refused', (field, wrong) => {
  const { engine, left, by } = barWithStaff();
  const request = {
    tapId: left.id,
    kind: 'caustic' as const,
    startedMs: openingMs,
    endedMs: openingMs + hour,
  };
  expect(() => engine.cleanings.addManual({ ...request, ...entry, ...wrong }, by(hour))).toThrow(
    expect.objectContaining({ fields: { [field]: expect.any(String) } }),
  );
  expect(engine.cleanings.log({}).total).toBe(0);
});

test('plans say what is due; a failed or withdrawn cleaning does not count', () => {
  const { engine, left, right, by } = barWithStaff();
  const { cleanings } = engine;
  cleanings.applyPreset({ preset: 'brewers_association', tapIds: [left.id, right.id] }, by(0));
  cleanings.setPlan({ tapId: right.id, kind: 'caustic', intervalDays: 7 }, by(0));
  expect(
    cleanings
      .plans(at(0))
      .map(({ tapId, kind, intervalDays, preset }) => [tapId, kind, intervalDays, preset]),
  ).toEqual([
    [left.id, 'acid', 90, 'brewers_association'],
    [left.id, 'caustic', 14, 'brewers_association'],
    [left.id, 'parts', 90, 'brewers_association'],
    [right.id, 'acid', 90, 'brewers_association'],
    [right.id, 'caustic', 7, null],
    [right.id, 'parts', 90, 'brewers_association'],
  ]);
  const { id } = cleanings.start({ tapId: left.id, kind: 'caustic' }, by(10 * dayMs));
  cleanings.finish(id, { ...entry, result: 'failed' }, by(10 * dayMs + hour));
  const caustic = () =>
    cleanings.plans(at(14 * dayMs)).find(({ tapId, kind }) => tapId === left.id && kind === 'caustic');
  expect(caustic()).toMatchObject({ daysLeft: 0, state: 'due', lastMs: null });
  expect(cleanings.daysSinceCleaning(left.id, at(14 * dayMs))).toBeNull();
  const failed = cleanings.get(id).entries[0]!;
  const passed = cleanings.correctEntry(id, { entryId: failed.id, result: 'passed' }, by(11 * dayMs));
  expect(caustic()).toMatchObject({ daysLeft: 10, state: 'done' });
  expect(cleanings.daysSinceCleaning(left.id, at(14 * dayMs))).toBe(4);
  cleanings.withdrawEntry(id, { entryId: passed.entries[0]!.id, note: null }, by(12 * dayMs));
  expect(caustic()).toMatchObject({ daysLeft: 0, state: 'due' });

  cleanings.removePlan(left.id, 'acid', by(0));
  expect(cleanings.plans(at(0))).toHaveLength(5);
  cleanings.applyPreset({ preset: 'cask_marque', tapIds: [left.id] }, by(0));
  expect(cleanings.plans(at(0)).filter(({ tapId }) => tapId === left.id)).toMatchObject([
    { kind: 'caustic', intervalDays: 7, preset: 'cask_marque' },
  ]);
});

test.each([
  ['interval_days', { kind: 'caustic', intervalDays: 0 }],
  ['interval_days', { kind: 'caustic', intervalDays: 1.5 }],
  ['kind', { kind: 'soap', intervalDays: 7 }],
])('a plan with a wrong %s is refused', (field, wrong) => {
  const { engine, left, by } = barWithStaff();
  expect(() => engine.cleanings.setPlan({ tapId: left.id, ...wrong }, by(0))).toThrow(
    expect.objectContaining({ fields: { [field]: expect.any(String) } }),
  );
});

test('recording a pour reads no table of cleanings', () => {
  const { engine, store, left, by } = barWithStaff();
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, by(minute));
  engine.cleanings.finish(id, entry, by(hour));
  engine.drinks.pours.record(pour(at(2 * hour)), 'pin', at(2 * hour));
  const before = store.cleanings.recent();
  engine.drinks.pours.record(pour(at(2 * hour + minute)), 'pin', at(2 * hour + minute));
  // The same object: the list was not read again after a pour.
  expect(store.cleanings.recent()).toBe(before);
});
