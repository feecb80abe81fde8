import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { at, minute, openBar, pour } from '../../engine/bar.ts';
import { propertyRuns } from '../../kit/slow.ts';

const id = fc.integer({ min: 1, max: 12 });
const ticks = fc.integer({ min: 50, max: 900 });

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pour' as const), ticks }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rollBack' as const), ticks }) },
  { weight: 2, arbitrary: fc.constant({ do: 'ask' as const }) },
  fc.record({
    do: fc.constant('changeKeg' as const),
    kegId: fc.constantFrom(2, 3),
    ago: fc.constantFrom(5_000, 90_000),
  }),
  fc.record({ do: fc.constant('cancel' as const), id }),
  fc.record({ do: fc.constant('move' as const), id }),
  fc.record({ do: fc.constant('undo' as const), id }),
);

/** Sums of single pours in another order differ in their last digits. */
const rounded = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);

const totalsOf = (store: Store) =>
  [1, 2, 3].map((kegId) =>
    store.drinks.meterTotals
      .ofKeg(kegId)
      .map((total) => Object.entries(total).map(([name, value]) => [name, rounded(value)]))
      .toSorted(),
  );

class RolledBack extends Error {}

/** Records a pour, reads the totals with it, and takes it back before the commit. */
function rollBack(store: Store, work: () => void): void {
  try {
    store.recording(() => {
      work();
      totalsOf(store);
      throw new RolledBack();
    });
  } catch (fault) {
    if (!(fault instanceof RolledBack)) throw fault;
  }
}

test('totals read before are those of the drinks, whatever was recorded, rolled back, moved and undone since', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const folder = mkdtempSync(join(tmpdir(), 'totals-'));
      const file = join(folder, 'tapster.db');
      const { engine, store, left } = openBar(file);
      for (let i = 0; i < 2; i++) engine.kegs.create({ beverage: { id: 1 } }, at(1_000));
      for (const [i, one] of steps.entries()) {
        const now = at((i + 1) * minute);
        const record = (count: number) => engine.drinks.pours.record(pour(now, { ticks: count }), 'pin', now);
        try {
          if (one.do === 'pour') record(one.ticks);
          if (one.do === 'rollBack') rollBack(store, () => record(one.ticks));
          if (one.do === 'ask') totalsOf(store);
          if (one.do === 'changeKeg')
            engine.kegs.attachNext(left.id, one.kegId, now, undefined, { changedAtMs: now.wallMs - one.ago });
          if (one.do === 'cancel') engine.drinks.cancel(one.id, { spilled: false }, now);
          if (one.do === 'move') engine.drinks.move(one.id, { kegId: 1 }, now);
          if (one.do === 'undo') engine.drinks.undo(one.id, {}, now);
        } catch (refusal) {
          if (!(refusal instanceof AppError)) throw refusal;
        }
      }
      const fresh = openStore({ file });
      expect(totalsOf(store)).toEqual(totalsOf(fresh));
      fresh.close();
      store.close();
      rmSync(folder, { recursive: true });
    }),
    { numRuns: propertyRuns(120) },
  );
});

test('a drink that another process moves is left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'totals-'));
  const file = join(folder, 'tapster.db');
  const { engine, store, keg } = openBar(file);
  const drink = engine.drinks.pours.record(pour(at(minute)), 'pin', at(minute));
  expect(store.drinks.meterTotals.ofKeg(keg.id)).toMatchObject([{ pours: 1, volumeMl: 300 }]);
  const other = openStore({ file });
  other.transaction(() => other.drinks.remove(drink.id));
  expect(store.drinks.meterTotals.ofKeg(keg.id)).toEqual([]);
  other.close();
  store.close();
  rmSync(folder, { recursive: true });
});
