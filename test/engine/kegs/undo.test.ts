import { expect, test } from 'vitest';
import { systemActor } from '../../../src/engine/shared/audit.ts';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

const stout = { beverage: { name: 'Stout', producerName: 'Brewery', styleName: 'Dry Stout' } } as const;
const conflict = (name: string) =>
  expect.objectContaining({ code: 'conflict', reason: expect.objectContaining({ name }) });

function openUndoBar() {
  const bar = openBar();
  const { engine } = bar;
  return {
    ...bar,
    undo: (id: number | null) => engine.corrections.undo(id!, { actor: systemActor }, at(2 * hour)),
    kegCorrection: (id: number) => engine.audit.latestCorrection('keg', { kind: 'keg', id }),
    kegEvents: () =>
      engine.drinks.events
        .list({ limit: 10 })
        .filter(({ kind }) => kind.startsWith('keg_'))
        .map(({ kind, kegId }) => `${kind} ${kegId}`),
    currentKeg: (tap: 'pi.flow0' | 'pi.flow1') => engine.taps.find(tap)?.keg?.id ?? null,
  };
}

test('an ended keg returns to its tap with its times, without an event', () => {
  const { engine, left, keg, undo, kegCorrection, currentKeg, kegEvents } = openUndoBar();
  const before = engine.kegs.get(keg.id);
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  expect(kegEvents()).toContain(`keg_ended ${keg.id}`);
  const id = kegCorrection(keg.id);
  undo(id);
  expect(engine.kegs.get(keg.id)).toEqual(before);
  expect(currentKeg('pi.flow0')).toBe(keg.id);
  expect(kegEvents()).toEqual([`keg_tapped ${keg.id}`]);
  expect(() => undo(id)).toThrow(conflict('already_undone'));
  expect(kegCorrection(keg.id)).toBeNull();
});

test('drinks poured between the end and its undo are of the keg', () => {
  const { engine, store, left, keg, undo, kegCorrection } = openUndoBar();
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  const drink = insertPour(store, {}, at(hour + minute));
  expect(drink.kegId).toBeNull();
  undo(kegCorrection(keg.id));
  expect(engine.drinks.get(drink.id)?.drink.kegId).toBe(keg.id);
  expect(engine.kegs.get(keg.id)?.servedVolumeMl).toBe(drink.volumeMl);
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('what was poured from a keg that was put on the tap by mistake goes back to the keg before', () => {
  const { engine, store, left, keg, undo, kegCorrection } = openUndoBar();
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  const next = engine.kegs.start(left.id, stout, at(hour), systemActor);
  const drink = insertPour(store, {}, at(hour + minute));
  expect(drink.kegId).toBe(next.id);
  undo(kegCorrection(next.id));
  undo(kegCorrection(keg.id));
  expect(engine.drinks.get(drink.id)?.drink.kegId).toBe(keg.id);
  expect(engine.kegs.get(next.id)).toBeNull();
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('an ended keg does not return to a tap that has another keg', () => {
  const { engine, left, keg, undo, kegCorrection, currentKeg } = openUndoBar();
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  const ended = kegCorrection(keg.id);
  const next = engine.kegs.start(left.id, stout, at(hour), systemActor);
  expect(() => undo(ended)).toThrow(conflict('tap_has_keg'));
  undo(kegCorrection(next.id));
  undo(ended);
  expect(currentKeg('pi.flow0')).toBe(keg.id);
});

test('an end is not undone after the keg was reactivated', () => {
  const { engine, left, keg, undo, kegCorrection } = openUndoBar();
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  const ended = kegCorrection(keg.id);
  engine.kegs.reactivate(keg.id, { actor: systemActor, now: at(hour) });
  expect(() => undo(ended)).toThrow(conflict('keg_changed_since'));
  undo(kegCorrection(keg.id));
  expect(engine.kegs.get(keg.id)).toMatchObject({ state: 'finished', finishedTimeMs: openingMs + hour });
  undo(ended);
  expect(engine.kegs.get(keg.id)?.state).toBe('on_tap');
});

test('a keg that was put on a tap returns to stock, and what was announced is announced again', () => {
  const { engine, right, undo, kegCorrection, currentKeg, kegEvents } = openUndoBar();
  const spare = engine.kegs.create(stout, at(0));
  engine.taps.setNext(right.id, { kegId: spare.id }, { actor: systemActor, now: at(0) });
  engine.kegs.attach(right.id, spare.id, at(hour), systemActor);
  expect(engine.taps.find('pi.flow1')?.next).toBeNull();
  undo(kegCorrection(spare.id));
  expect(engine.kegs.get(spare.id)).toEqual(spare);
  expect(currentKeg('pi.flow1')).toBeNull();
  expect(engine.taps.find('pi.flow1')?.next?.keg?.id).toBe(spare.id);
  expect(kegEvents()).not.toContain(`keg_tapped ${spare.id}`);
});

test('a new keg that was put on a tap by mistake is deleted', () => {
  const { engine, right, undo, kegCorrection, currentKeg } = openUndoBar();
  const keg = engine.kegs.start(right.id, stout, at(hour), systemActor);
  undo(kegCorrection(keg.id));
  expect(engine.kegs.get(keg.id)).toBeNull();
  expect(currentKeg('pi.flow1')).toBeNull();
});

test('a keg is not taken off its tap by undo after staff assigned a drink or a spill to it', () => {
  const { engine, store, right, keg: other, undo, kegCorrection } = openUndoBar();
  const keg = engine.kegs.start(right.id, stout, at(hour), systemActor);
  const tapped = kegCorrection(keg.id);
  const drink = insertPour(store, {}, at(hour));
  engine.drinks.move(drink.id, { kegId: keg.id }, at(hour));
  expect(() => undo(tapped)).toThrow(
    expect.objectContaining({ reason: { name: 'keg_assigned_since', keg: keg.id, drinks: 1, spills: 0 } }),
  );
  engine.drinks.move(drink.id, { kegId: other.id }, at(hour));
  engine.kegs.spill(keg.id, 100, at(hour), systemActor);
  expect(() => undo(tapped)).toThrow(
    expect.objectContaining({ reason: { name: 'keg_assigned_since', keg: keg.id, drinks: 0, spills: 1 } }),
  );
  undo(engine.audit.latestCorrection('spill', { kind: 'keg', id: keg.id }));
  undo(tapped);
  expect(engine.kegs.get(keg.id)).toBeNull();
});

test('spills at a tap and of a keg are undone one by one', () => {
  const { engine, keg, undo } = openUndoBar();
  const spilled = () => engine.kegs.get(keg.id)?.spilledVolumeMl;
  const { spill } = engine.drinks.pours.spill(
    { tap: 'pi.flow0', ticks: 0, volumeMl: 250, actor: systemActor },
    at(hour),
  );
  engine.kegs.spill(keg.id, 500, at(hour), systemActor);
  expect(spilled()).toBe(750);
  const id = engine.audit.latestCorrection('spill', { kind: 'spill', id: spill!.id });
  undo(id);
  expect(spilled()).toBe(500);
  expect(() => undo(id)).toThrow(conflict('already_undone'));
  undo(engine.audit.latestCorrection('spill', { kind: 'keg', id: keg.id }));
  expect(spilled()).toBe(0);
});

test('a drink recorded by hand is cancelled by undo, and restored by undoing that', () => {
  const { engine, keg, undo } = openUndoBar();
  const recordDrink = () =>
    engine.drinks.pours.reportInFull(
      { tap: 'pi.flow0', ticks: 0, volumeMl: 400, source: 'manual', actor: systemActor },
      at(hour),
    ).drink.id;
  const served = () => engine.kegs.get(keg.id)?.servedVolumeMl;
  const drink = recordDrink();
  const id = engine.audit.latestCorrection('recording', { kind: 'drink', id: drink });
  undo(id);
  expect(engine.drinks.get(drink)).toBeNull();
  expect(served()).toBe(0);
  engine.drinks.undo(drink, {}, at(hour));
  expect(served()).toBe(400);

  const corrected = recordDrink();
  engine.drinks.edit(corrected, { volumeMl: 300 }, at(hour));
  const second = engine.audit.latestCorrection('recording', { kind: 'drink', id: corrected });
  expect(() => undo(second)).toThrow(conflict('corrected_since'));
});

test('the audit log names who undid a change of a keg, and what it was', () => {
  const { engine, left, keg, undo, kegCorrection } = openUndoBar();
  engine.kegs.endOnTap(left.id, at(hour), systemActor);
  const id = kegCorrection(keg.id)!;
  undo(id);
  const [undone, ended] = engine.audit.list({}).items;
  expect(undone).toMatchObject({ action: 'correction.undone', subject: { kind: 'keg', id: String(keg.id) } });
  expect(JSON.parse(undone!.before!)).toMatchObject({
    correction_id: id,
    action: 'keg.ended',
    state: 'finished',
  });
  expect(JSON.parse(undone!.after!)).toMatchObject({ state: 'on_tap' });
  expect(ended).toMatchObject({ id, undoKind: 'keg', undoneBy: undone!.id });
});
