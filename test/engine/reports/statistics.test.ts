import { expect, test } from 'vitest';
import { at, minute, openBar, pour } from '../bar.ts';

/** A drink and a held pour, both already added up. */
function openWithHeldPour() {
  const bar = openBar();
  const { engine, store } = bar;
  engine.pours.record(pour(at(minute)), 'pin', at(minute));
  const held = engine.pours.record(
    pour(at(2 * minute, { synced: false }), { doubts: ['no_end'] }),
    'pin',
    at(2 * minute, { synced: false }),
  );
  const addUp = () => store.transaction(() => store.statistics.addPending(1_000));
  addUp();
  return { ...bar, held, addUp };
}

test('a held pour kept after adding up is counted as one more drink', () => {
  const { engine, held } = openWithHeldPour();
  engine.drinks.keep(held.id, {}, at(3 * minute));
  expect(engine.checkDatabase()).toEqual([]);
  expect(engine.statistics.get({ kind: 'site' })).toMatchObject({ pours: 2, volumeMl: 600 });
});

test('discarding a held pour or correcting its time takes nothing from the sums', () => {
  const { engine, held, addUp } = openWithHeldPour();
  engine.clockCorrection.correct(at(3 * minute, { wallMs: at(10 * minute).wallMs }));
  expect(engine.checkDatabase()).toEqual([]);
  engine.drinks.discard(held.id, {}, at(4 * minute));
  addUp();
  engine.drinks.undo(held.id, {}, at(5 * minute));
  expect(engine.checkDatabase()).toEqual([]);
  expect(engine.statistics.get({ kind: 'site' })).toMatchObject({ pours: 1, volumeMl: 300 });
});

test('a cancelled drink that was already subtracted is restored completely', () => {
  const { engine, addUp } = openWithHeldPour();
  engine.drinks.cancel(1, { spilled: false }, at(3 * minute));
  addUp();
  expect(engine.statistics.get({ kind: 'site' })).toBeNull();
  engine.drinks.undo(1, {}, at(4 * minute));
  expect(engine.checkDatabase()).toEqual([]);
  expect(engine.statistics.get({ kind: 'site' })).toMatchObject({ pours: 1, volumeMl: 300 });
});

test('of 130 sessions the newest hundred are listed, and all are counted', () => {
  const { engine } = openBar();
  const day = 24 * 60 * minute;
  for (let session = 0; session < 130; session++) {
    const now = at(session * day);
    // The third session was the largest, long before those listed.
    engine.pours.record(pour(now, { ticks: session === 2 ? 1_200 : 600 }), 'pin', now);
  }
  for (const readStatistics of ['waiting', 'added up']) {
    const { sessions, sessionsCount, pours, largestSession } = engine.statistics.get({ kind: 'site' })!;
    expect(
      sessions.map(({ id }) => id),
      readStatistics,
    ).toEqual(Array.from({ length: 100 }, (_, i) => i + 31));
    expect([sessionsCount, pours, largestSession.id], readStatistics).toEqual([130, 130, 3]);
    engine.statistics.addUp();
  }
  expect(engine.checkDatabase()).toEqual([]);
});
