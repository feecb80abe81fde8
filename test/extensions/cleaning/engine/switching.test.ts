import { expect, test } from 'vitest';
import { systemActor } from '../../../../src/engine/engine.ts';
import { isFeatureOn } from '../../../../src/engine/site/features.ts';
import { cleaning } from '../../../../src/extensions/cleaning/extension.ts';
import { at, hour, minute, openingMs, pour } from '../../../engine/bar.ts';
import { cleaningOn, openCleaningBar } from '../cleaning-bar.ts';

const by = (afterMs: number) => ({ actor: systemActor, now: at(afterMs) });
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
  expect(() => engine.drinks.discard(flow.id, {}, at(hour))).toThrow(/set aside/);
  expect(() => engine.drinks.cancel(flow.id, { spilled: false }, at(hour))).toThrow(/set aside/);
  expect(store.drinks.byId(flow.id)).toMatchObject({ isSetAside: true, heldReason: 'cleaning' });
  expect(engine.site.checkDatabase()).toEqual([]);
  engine.useExtensions(cleaningOn.engine.loaded);
  expect(engine.serviceOf(cleaning).cleanings.get(id).pours).toHaveLength(1);
});

test('while it is off, what flowed in a cleaning can be made a drink: the lost beer goes, and the log follows', () => {
  const { engine, store, keg } = openCleaningBar();
  const flow = engine.drinks.pours.record(pour(at(minute), { ticks: 600 }), 'pin', at(minute));
  const marked = engine.cleaningSuggestions.mark(
    { drinkIds: [flow.id], kind: 'caustic', lineVolumeMl: 500 },
    by(hour),
  );
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 0, spilledVolumeMl: 500 });
  engine.useExtensions([]);
  engine.drinks.keep(flow.id, {}, at(2 * hour));
  expect(engine.kegs.get(keg.id)).toMatchObject({ servedVolumeMl: 600, spilledVolumeMl: 0 });
  expect(store.cleaningEntries.of(marked.cleaningId)[0]).toMatchObject({
    isWithdrawn: true,
    followsPours: true,
  });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('while it is off, plans are undone, and so is marking pours as a cleaning', () => {
  const { engine, store, left } = openCleaningBar();
  const drink = engine.drinks.pours.record(pour(at(minute), { ticks: 600 }), 'pin', at(minute));
  const planId = engine.cleanings.setPlan(
    { tapId: left.id, kind: 'caustic', intervalDays: 7 },
    by(2 * minute),
  )!;
  const request = { drinkIds: [drink.id], kind: 'caustic' };
  const { correctionId, cleaningId } = engine.cleaningSuggestions.mark(request, by(hour));
  engine.useExtensions([]);
  const [entry] = engine.audit.list({ action: 'cleaning_plan.set' }).items;
  const { id: userId } = engine.users.addUser({ username: 'root', isSuperuser: true, isStaff: true }, at(0));
  expect(engine.corrections.mayUndo(entry!, { userId, via: 'page' })).toBe(true);
  engine.corrections.undo(planId, {}, at(2 * hour));
  expect(store.cleaningPlans.all()).toEqual([]);
  engine.corrections.undo(correctionId, {}, at(2 * hour));
  expect(store.drinks.byId(drink.id)).toMatchObject({ isValid: true, isSetAside: false });
  expect(store.cleaningEntries.of(cleaningId)[0]).toMatchObject({ isWithdrawn: true });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('while it is off, a cleaning of before the clock was set follows it: its log and its lost beer', () => {
  const { engine, store, left, keg } = openCleaningBar();
  const unset = (ms: number) => at(ms, { synced: false, wallMs: openingMs - 240 * hour + ms });
  const context = (ms: number) => ({ actor: systemActor, now: unset(ms) });
  const { id } = engine.cleanings.start(
    { tapId: left.id, kind: 'caustic', lineVolumeMl: 200 },
    context(minute),
  );
  engine.drinks.pours.record(pour(unset(2 * minute), { ticks: 900 }), 'pin', unset(2 * minute));
  engine.cleanings.finish(id, { result: 'passed' }, context(3 * minute));
  engine.useExtensions([]);
  engine.drinks.clockCorrection.correct(at(hour));
  expect(store.cleaningEntries.of(id)[0]).toMatchObject({
    startedMs: at(minute).wallMs,
    endedMs: at(3 * minute).wallMs,
  });
  const spill = store.drinks.spills.byId(store.drinks.spills.atTap(left.id, 0)[0]?.id ?? 1);
  expect(spill).toMatchObject({ kegId: keg.id, volumeMl: 200, timeMs: at(2 * minute).wallMs });
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a pour is set aside for declared reasons only', () => {
  const { engine, store } = openCleaningBar();
  const { id } = engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(() => store.drinks.setAside(id, 'darts')).toThrow(/No reason "darts"/);
});
