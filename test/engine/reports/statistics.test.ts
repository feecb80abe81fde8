import { expect, test } from 'vitest';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { at, minute, openBar } from '../bar.ts';

/** A drink and a held pour. */
function openWithHeldPour() {
  const bar = openBar();
  const { store } = bar;
  insertPour(store, {}, at(minute));
  const held = insertPour(store, { heldReason: 'no_end' }, at(2 * minute, { synced: false }));
  return { ...bar, held };
}

test('a held pour that is kept is counted as one more drink', () => {
  const { engine, held } = openWithHeldPour();
  engine.drinks.keep(held.id, {}, at(3 * minute));
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(engine.reports.statistics.get({ kind: 'site' })).toMatchObject({ pours: 2, volumeMl: 600 });
});

test('discarding a held pour or correcting its time takes nothing from the sums', () => {
  const { engine, held } = openWithHeldPour();
  engine.drinks.clockCorrection.correct(at(3 * minute, { wallMs: at(10 * minute).wallMs }));
  expect(engine.site.checkDatabase()).toEqual([]);
  engine.drinks.discard(held.id, {}, at(4 * minute));
  engine.drinks.undo(held.id, {}, at(5 * minute));
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(engine.reports.statistics.get({ kind: 'site' })).toMatchObject({ pours: 1, volumeMl: 300 });
});

test('a cancelled drink is restored completely', () => {
  const { engine } = openWithHeldPour();
  engine.drinks.cancel(1, { spilled: false }, at(3 * minute));
  expect(engine.reports.statistics.get({ kind: 'site' })).toBeNull();
  engine.drinks.undo(1, {}, at(4 * minute));
  expect(engine.site.checkDatabase()).toEqual([]);
  expect(engine.reports.statistics.get({ kind: 'site' })).toMatchObject({ pours: 1, volumeMl: 300 });
});

test('of 130 sessions the newest hundred are listed, and all are counted', () => {
  const { engine, store } = openBar();
  const day = 24 * 60 * minute;
  for (let session = 0; session < 130; session++) {
    const now = at(session * day + minute);
    // The third session was the largest, long before those listed.
    insertPour(store, { ticks: session === 2 ? 1_200 : 600 }, now);
  }
  for (const view of [{ kind: 'site' }, { kind: 'keg', id: 1 }] as const) {
    const { sessions, sessionsCount, pours, largestSession } = engine.reports.statistics.get(view)!;
    expect(
      sessions.map(({ id }) => id),
      view.kind,
    ).toEqual(Array.from({ length: 100 }, (_, i) => i + 31));
    expect([sessionsCount, pours, largestSession.id], view.kind).toEqual([130, 130, 3]);
  }
  expect(engine.site.checkDatabase()).toEqual([]);
});

test('a report read again contains a drink recorded in between, and is over when its day has ended', () => {
  const { engine, store } = openBar();
  const read = (now = at(2 * minute)) => {
    const { drinks, isOver } = engine.reports.day(engine.reports.today(at(0)).date, now);
    return { drinks, isOver };
  };
  expect(read()).toEqual({ drinks: 0, isOver: false });
  insertPour(store, {}, at(minute));
  expect([read(), read()]).toEqual([
    { drinks: 1, isOver: false },
    { drinks: 1, isOver: false },
  ]);
  expect(read(at(2 * 24 * 60 * minute))).toEqual({ drinks: 1, isOver: true });
});
