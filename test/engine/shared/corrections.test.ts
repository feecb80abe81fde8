import { expect, test } from 'vitest';
import { systemActor, writeAudit } from '../../../src/engine/shared/audit.ts';
import { addCorrection } from '../../../src/engine/shared/corrections/add-correction.ts';
import { createCorrections } from '../../../src/engine/shared/corrections/corrections.ts';
import { byKindName, restoring, type UndoKind } from '../../../src/engine/shared/corrections/undo-kinds.ts';
import { createKegCosts } from '../../../src/engine/shared/hooks/keg-costs.ts';
import type { EngineParts } from '../../../src/engine/shared/parts.ts';
import { createRecordingHooks } from '../../../src/engine/shared/recording-hooks.ts';
import { undoKinds } from '../../../src/engine/undo-kinds.ts';
import { at, openBar, pour } from '../bar.ts';

/** What an extension may declare: a change of the notes of the left tap, at which Anna is logged out. */
const notes: UndoKind = {
  name: 'notes_of_extension',
  isByPin: false,
  news: 'all',
  leastRole: () => 'superuser',
  undo: restoring({
    restore: (store, { before }) => {
      const tap = store.taps.all()[0]!;
      store.taps.change(tap.id, { ...tap, notes: before });
    },
  }),
  movedMeters: () => ['pi.flow0'],
  shutOut: () => 'anna',
};

function barWith(kinds: readonly UndoKind[]) {
  const bar = openBar();
  const correctionKinds = byKindName(kinds);
  const { store, bus } = bar;
  const parts: EngineParts = {
    store,
    bus,
    correctionKinds,
    ids: { next: () => 'id' },
    settings: { maxFlowMlPerS: 200 },
    hooks: createRecordingHooks(),
    kegCosts: createKegCosts(),
    publishesTo: () => false,
  };
  const shutOut: string[] = [];
  const boards = { endUserGrants: (username: string) => void shutOut.push(username) };
  const change = (): number =>
    store.transaction(() => {
      const subject = { kind: 'tap', id: bar.left.id };
      const id = writeAudit(store, { actor: systemActor, action: 'tap.noted', subject }, at(0));
      store.taps.change(bar.left.id, { ...store.taps.byId(bar.left.id)!, notes: 'after' });
      addCorrection(parts, { id, kind: notes.name, before: 'before', after: 'after' });
      return id;
    });
  return { ...bar, corrections: createCorrections(parts, correctionKinds, boards), change, shutOut };
}

const notesOf = ({ store, left }: ReturnType<typeof barWith>) => store.taps.byId(left.id)!.notes;

test('a further kind is undone as it declares, with those of the subjects', () => {
  const bar = barWith([...undoKinds, notes]);
  bar.engine.users.addUser({ username: 'anna' }, at(0));
  const id = bar.change();
  expect(notesOf(bar)).toBe('after');
  expect(bar.corrections.leastRole(id)).toBe('superuser');
  expect(bar.corrections.movedMeters(id)).toEqual(['pi.flow0']);
  bar.corrections.undo(id, { actor: systemActor }, at(1));
  expect(notesOf(bar)).toBe('before');
  expect(bar.shutOut).toEqual(['anna']);
  expect(bar.corrections.movedMeters(id)).toEqual([]);
  expect(() => bar.corrections.undo(id, {}, at(2))).toThrow('undone already');
});

test('what a kind tells those who hear all news is told, with the time of the change and of the undo', () => {
  const bar = barWith([...undoKinds, notes]);
  bar.store.notifications.eventReceivers.useForNews(() => [
    { kind: 'radio', target: 'club', maxWaiting: 10 },
  ]);
  const id = bar.change();
  bar.corrections.undo(id, { actor: systemActor }, at(5));
  const told = bar.engine.notifications.outbox.due({ kind: 'radio', target: 'club' }, at(5), 10);
  const payload = {
    correction_id: id,
    action: 'tap.noted',
    subject_kind: 'tap',
    subject_id: String(bar.left.id),
  };
  expect(
    told.map(({ topic, payload, createdTimeMs }) => [topic, JSON.parse(payload), createdTimeMs]),
  ).toEqual([
    ['corrected', payload, at(0).wallMs],
    ['correction_undone', payload, at(5).wallMs],
  ]);
});

test('a change of a kind that nobody declares is refused, and nothing of it stays', () => {
  const bar = barWith(undoKinds);
  expect(bar.change).toThrow('notes_of_extension');
  expect(notesOf(bar)).not.toBe('after');
});

test('what an extension changed that is gone stays in the log, and nobody is offered to undo it', () => {
  const bar = barWith([...undoKinds, notes]);
  const id = bar.change();
  const [entry] = bar.engine.audit.list({ action: 'tap.noted' }).items;
  const anna = bar.engine.users.addUser({ username: 'anna', isSuperuser: true }, at(0));
  const actor = { userId: anna.id, via: 'page' as const };
  expect(bar.corrections.mayUndo(entry!, actor)).toBe(true);
  expect(bar.engine.corrections.mayUndo(entry!, actor)).toBe(false);
  expect(() => bar.engine.corrections.undo(id, { actor }, at(1))).toThrow(`correction ${id}`);
  expect(notesOf(bar)).toBe('after');
});

test('two kinds of one name are refused', () => {
  expect(() => byKindName([...undoKinds, notes, notes])).toThrow('same name');
});

test('each kind of the subjects can be stored, and its name is its own', () => {
  expect(undoKinds.filter(({ name }) => name.length > 32)).toEqual([]);
  expect(byKindName(undoKinds).size).toBe(undoKinds.length);
});

test('a drink is undone by its kind from the list', () => {
  const { engine } = openBar();
  const { id } = engine.drinks.pours.record(pour(at(0)), 'pin', at(0));
  engine.drinks.cancel(id, { spilled: false }, at(1));
  const [entry] = engine.audit.list({ action: 'drink.cancelled' }).items;
  engine.corrections.undo(entry!.id, {}, at(2));
  expect(engine.drinks.get(id)?.drink.isValid).toBe(true);
});
