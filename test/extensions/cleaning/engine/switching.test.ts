import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { isFeatureOn } from '../../../../src/engine/site/features.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { at, hour, minute, pour } from '../../../engine/bar.ts';
import { cleaningOn, openCleaningBar } from '../cleaning-bar.ts';

const by = (afterMs: number) => ({ actor: systemActor, now: at(afterMs) });
const off = expect.objectContaining({ reason: { name: 'feature_off', feature: 'cleaning' } });
const settings = { maxFlowMlPerS: 200, features: { cleaning: false } };

/** A bar with a cleaning of the left line that was finished, what flowed in it, and a drink before. */
function openCleanedBar() {
  const bar = openCleaningBar();
  const { engine, left } = bar;
  engine.drinks.pours.record(pour(at(minute), { ticks: 300 }), 'pin', at(minute));
  const { id } = engine.cleanings.start(
    { tapId: left.id, kind: 'caustic', lineVolumeMl: 200 },
    by(2 * minute),
  );
  const flow = engine.drinks.pours.record(pour(at(3 * minute), { ticks: 900 }), 'pin', at(3 * minute));
  engine.cleanings.finish(id, { result: 'passed' }, by(5 * minute));
  return { ...bar, id, flow };
}

test('it stays on while a line is cleaned, waits for its entry, or holds cleaner after a failed check', () => {
  const { engine, store, left } = openCleaningBar();
  const switchOff = () => engine.site.features.change({ cleaning: false }, systemActor, at(hour));
  const isOnByFile = () => isFeatureOn(store, settings, cleaning);
  const expectKept = () => {
    expect(switchOff).toThrow(/cleaning cannot be switched off: The line of Left/);
    expect(isOnByFile()).toBe(true);
  };
  expect(isOnByFile()).toBe(false);
  const { id } = engine.cleanings.start({ tapId: left.id, kind: 'caustic' }, by(0));
  expectKept();
  engine.cleanings.expire(id, at(3 * hour));
  expectKept();
  engine.cleanings.finish(id, { result: 'failed' }, by(4 * hour));
  expectKept();
  const [entry] = engine.cleanings.get(id).entries;
  engine.cleanings.correctEntry(id, { entryId: entry!.id, result: 'passed' }, by(5 * hour));
  expect(isOnByFile()).toBe(false);
  switchOff();
  expect(engine.site.features.list()).toMatchObject([{ name: 'cleaning', isOn: false }]);
});

test('while it is off, what flowed in a cleaning is no drink, nothing to review, and the lost beer stays', () => {
  const { engine, store, keg, id, flow } = openCleanedBar();
  const lost = engine.kegs.get(keg.id)!.spilledVolumeMl;
  expect(lost).toBe(200);
  engine.useExtensions([]);
  expect(engine.drinks.list({}).total).toBe(1);
  expect([engine.drinks.heldCount(), engine.drinks.held()]).toEqual([0, []]);
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 300, spilledVolumeMl: lost });
  expect(() => engine.drinks.keep(flow.id, {}, at(hour))).toThrow(off);
  expect(() => engine.drinks.discard(flow.id, {}, at(hour))).toThrow(/set aside/);
  expect(() => engine.drinks.cancel(flow.id, { spilled: false }, at(hour))).toThrow(/set aside/);
  expect(store.drinks.byId(flow.id)).toMatchObject({ isSetAside: true, heldReason: 'cleaning' });
  expect(engine.site.checkDatabase()).toEqual([]);
  engine.useExtensions(cleaningOn.engine.loaded);
  expect(engine.serviceOf(cleaning).cleanings.get(id).pours).toHaveLength(1);
});

test('while it is off, marking pours as a cleaning is not undone', () => {
  const { engine, store } = openCleaningBar();
  const drink = engine.drinks.pours.record(pour(at(minute), { ticks: 600 }), 'pin', at(minute));
  const request = { drinkIds: [drink.id], kind: 'caustic' };
  const { correctionId } = engine.cleaningSuggestions.mark(request, by(hour));
  engine.useExtensions([]);
  expect(() => engine.corrections.undo(correctionId, {}, at(2 * hour))).toThrow(off);
  expect(store.drinks.byId(drink.id)).toMatchObject({ isValid: false, isSetAside: true });
  engine.useExtensions(cleaningOn.engine.loaded);
  engine.corrections.undo(correctionId, {}, at(3 * hour));
  expect(store.drinks.byId(drink.id)).toMatchObject({ isValid: true, isSetAside: false });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a pour is set aside for declared reasons only', () => {
  const { engine, store } = openCleaningBar();
  const { id } = engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(() => store.drinks.setAside(id, 'darts')).toThrow(/No reason "darts"/);
});
