import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { at, hour, minute, pour } from '../../../engine/bar.ts';
import { openCleaningBar } from '../cleaning-bar.ts';

const by = (afterMs: number) => ({ actor: systemActor, now: at(afterMs) });

/** A bar that opens at 18:00, and a pump in the morning: 9 L pushed out and rinsed, 30 L held for its length. */
function barAfterCleaning() {
  const bar = openCleaningBar();
  const { engine } = bar;
  engine.users.changeSite({ openingHours: '18:00-02:00' });
  const morning = 15 * hour;
  const record = (afterMs: number, ticks: number, durationMs: number, options = {}) =>
    engine.drinks.pours.record(
      pour(at(afterMs), { ticks, durationMs, series: `0:${ticks}`, ...options }),
      'pin',
      at(afterMs),
    );
  const glass = record(minute, 500, 8_000);
  const rinse = record(morning, 9_000, 90_000);
  const pumped = record(morning + 20 * minute, 38_100, 300_000, { doubts: ['no_end'] });
  return { ...bar, glass, rinse, pumped, morning };
}

test('pours that look like a cleaning are suggested once, held ones too', () => {
  const { engine, rinse, pumped, morning, left } = barAfterCleaning();
  const suggestions = () => engine.cleaningSuggestions.suggestions(at(morning + hour));
  expect(suggestions()).toEqual([
    {
      tapId: left.id,
      tapName: 'Left',
      drinkIds: [rinse.id, pumped.id],
      startedMs: at(morning - 90_000).wallMs,
      endedMs: at(morning + 20 * minute).wallMs,
      volumeMl: 47_100,
      mlPerS: 127,
    },
  ]);
  engine.cleaningSuggestions.dismiss([rinse.id, pumped.id], by(morning + hour));
  expect(suggestions()).toEqual([]);
  expect(engine.cleaningSuggestions.suggestions(at(30 * 24 * hour))).toEqual([]);
});

test('marked pours become a cleaning with an entry; all totals follow, and follow back', () => {
  const { engine, keg, rinse, pumped, morning, left } = barAfterCleaning();
  const before = engine.kegs.get(keg.id);
  expect(before).toMatchObject({ servedVolumeMl: 9_500, spilledVolumeMl: 0 });
  const request = { drinkIds: [rinse.id, pumped.id], kind: 'caustic', lineVolumeMl: 600 };
  const { cleaningId, correctionId } = engine.cleaningSuggestions.mark(request, by(morning + hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 500, spilledVolumeMl: 600 });
  expect(engine.drinks.heldCount()).toBe(0);
  expect(engine.taps.facts.totalMl(left.id)).toBe(500);
  expect(engine.lists.sessions({})).toMatchObject({ total: 1 });
  expect(engine.cleanings.get(cleaningId)).toMatchObject({
    origin: 'pours',
    parts: { beerMl: 600, cleanerMl: 46_500, rinseMl: 0 },
    entries: [{ kind: 'caustic', result: 'not_checked', isWithdrawn: false }],
  });
  expect(engine.cleaningSuggestions.suggestions(at(morning + hour))).toEqual([]);
  expect(engine.cleanings.daysSinceCleaning(left.id, at(morning + hour))).toBe(0);
  expect(engine.site.checkDatabase()).toEqual([]);

  engine.corrections.undo(correctionId, {}, at(morning + 2 * hour));
  expect(engine.kegs.get(keg.id)).toEqual(before);
  expect(engine.drinks.held().map(({ id, heldReason }) => [id, heldReason])).toEqual([[pumped.id, 'no_end']]);
  expect(engine.lists.sessions({})).toMatchObject({ total: 2 });
  // The log keeps both entries; the newest says that there was no such cleaning.
  expect(engine.cleanings.get(cleaningId).entries.map(({ isWithdrawn }) => isWithdrawn)).toEqual([
    true,
    false,
  ]);
  expect(engine.cleanings.daysSinceCleaning(left.id, at(morning + hour))).toBeNull();
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('an entry that staff withdrew is not entered anew when its pours come back; one that went with them is', () => {
  const { engine, rinse, morning } = barAfterCleaning();
  const request = { drinkIds: [rinse.id], kind: 'caustic' };
  const { cleaningId } = engine.cleaningSuggestions.mark(request, by(morning + hour));
  const withdrawn = () => engine.cleanings.get(cleaningId).entries.map(({ isWithdrawn }) => isWithdrawn);
  const keepAndUndo = () => {
    engine.drinks.keep(rinse.id, {}, at(morning + 2 * hour));
    const kept = withdrawn();
    engine.drinks.undo(rinse.id, {}, at(morning + 2 * hour));
    return [kept[0], withdrawn()[0]];
  };
  expect(keepAndUndo()).toEqual([true, false]);
  const entryId = engine.cleanings.get(cleaningId).entries[0]!.id;
  engine.cleanings.withdrawEntry(cleaningId, { entryId, note: 'Wrong tap' }, by(morning + 3 * hour));
  expect(keepAndUndo()).toEqual([true, true]);
  expect(withdrawn()).toHaveLength(4);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a cleaning is cancelled with its pours as drinks, or not at all', () => {
  const { engine, store, left } = openCleaningBar();
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, by(0));
  const flows = [minute, 2 * minute].map((end) => engine.drinks.pours.record(pour(at(end)), 'pin', at(end)));
  const [first, second] = flows;
  const accept = store.drinks.accept;
  store.drinks.accept = (drinkId, placement) => {
    if (drinkId === second!.id) throw new Error('disk failure');
    accept(drinkId, placement);
  };
  const cancel = () => engine.cleaningSuggestions.cancelAsDrinks(id, by(3 * minute));
  expect(cancel).toThrow('disk failure');
  expect(engine.cleanings.running().map((one) => one.id)).toEqual([id]);
  expect(engine.drinks.get(first!.id)?.drink.isValid).toBe(false);
  store.drinks.accept = accept;
  cancel();
  expect(engine.cleanings.running()).toEqual([]);
  expect(flows.map((flow) => engine.drinks.get(flow.id)?.drink.isValid)).toEqual([true, true]);
  expect(cancel).toThrow(expect.objectContaining({ code: 'conflict' }));
});

test('pours of two taps, of another cleaning, or too many are refused', () => {
  const { engine, rinse, morning } = barAfterCleaning();
  const other = engine.drinks.pours.record(pour(at(morning), { meter: 'pi.flow1' }), 'pin', at(morning));
  const mark = (drinkIds: number[]) => () =>
    engine.cleaningSuggestions.mark({ drinkIds, kind: 'caustic' }, by(morning + hour));
  const invalid = expect.objectContaining({ fields: { drink_ids: expect.any(String) } });
  expect(mark([rinse.id, other.id])).toThrow(invalid);
  expect(mark([])).toThrow(invalid);
  expect(mark(Array.from({ length: 51 }, (_, i) => i + 1))).toThrow(invalid);
  expect(mark([99])).toThrow(expect.objectContaining({ code: 'not_found' }));
  mark([rinse.id])();
  expect(mark([rinse.id])).toThrow(expect.objectContaining({ code: 'conflict' }));
});

test('several drinks in the middle that were a cleaning split a session', () => {
  const { engine } = openCleaningBar();
  const drink = (agoMs: number) =>
    engine.drinks.pours.report({ tap: 1, ticks: 100, agoMs, source: 'post' }, at(24 * hour));
  const [, middle, , last] = [10 * hour, 8.5 * hour, 7 * hour, 5.5 * hour].map((agoMs) => drink(agoMs));
  const between = engine.lists.drinks({}).items.filter(({ id }) => id > middle!.id - 1 && id < last!.id);
  const cleaning = { drinkIds: between.map(({ id }) => id), kind: 'water' };
  engine.cleaningSuggestions.mark(cleaning, { actor: systemActor, now: at(25 * hour) });
  expect(engine.lists.sessions({}).items).toMatchObject([{ volumeMl: 100 }, { volumeMl: 100 }]);
  expect(engine.site.checkDatabase()).toEqual([]);
});
