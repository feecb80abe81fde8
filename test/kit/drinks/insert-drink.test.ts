import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omitUndefined } from '../../../src/core/omit-undefined.ts';
import type { HeldReason } from '../../../src/core/pours/pour.ts';
import { at, hour, minute, openBar, pour } from '../../engine/bar.ts';
import { switchOn } from '../extensions.ts';
import { propertyRuns } from '../slow.ts';
import { openTwinBars, type TwinBar } from '../twin-bars.ts';
import { insertDrink, insertPour } from './insert-drink.ts';

/** An extension that notices pours adds rows of its own. */
const base = await switchOn([]);

/** Two bars with two kegs and Anna: the engine records in one what the store inserts in the other. */
function openTwins() {
  const twins = openTwinBars(base);
  twins.both(({ engine, right }) => {
    engine.users.addUser({ username: 'anna' }, at(0));
    engine.kegs.start(
      right.id,
      { beverage: { name: 'Ale', producerName: 'Brewery', styleName: 'Ale' }, sizeKey: 'mini' },
      at(0),
    );
  });
  return {
    twins,
    compare(record: (bar: TwinBar) => unknown, insert: (bar: TwinBar) => unknown): void {
      let bars = 0;
      twins.both((bar) => void (bars++ === 0 ? record(bar) : insert(bar)));
    },
  };
}

const report = fc.record({
  tap: fc.constantFrom(1, 2, 'pi.flow0', 'pi.flow1', 'pi.flow2'),
  ticks: fc.integer({ min: 0, max: 900 }),
  volumeMl: fc.option(fc.integer({ min: 0, max: 2_000 }), { nil: undefined }),
  username: fc.constantFrom(undefined, 'anna', 'unknown'),
  shout: fc.constantFrom(undefined, 'Cheers'),
  source: fc.constantFrom('post' as const, 'device' as const, 'manual' as const),
  afterHours: fc.integer({ min: 1, max: 40 }),
});

test('property: an inserted drink leaves the rows of a recorded one, and sums that agree', () => {
  fc.assert(
    fc.property(fc.array(report, { minLength: 1, maxLength: 12 }), fc.boolean(), (reports, synced) => {
      const { twins, compare } = openTwins();
      try {
        for (const { afterHours, ...options } of reports) {
          const { volumeMl, username, shout, ...rest } = options;
          const given = { ...rest, ...omitUndefined({ volumeMl, username, shout }) };
          const now = at(afterHours * hour, { synced });
          compare(
            ({ engine }) => engine.drinks.pours.report(given, now),
            ({ store }) => insertDrink(store, given, now),
          );
        }
        twins.expectSame();
      } finally {
        twins.close();
      }
    }),
    { numRuns: propertyRuns(15) },
  );
}, 60_000);

test.each<{ name: string; doubts: readonly HeldReason[] }>([
  { name: 'counted', doubts: [] },
  { name: 'held', doubts: ['no_end'] },
])('an inserted pour leaves the rows of a $name one', ({ doubts }) => {
  const { twins, compare } = openTwins();
  const ended = pour(at(minute), { pourId: 'pour-a', doubts: [...doubts] });
  compare(
    ({ engine }) => engine.drinks.pours.record(ended, 'pin', at(minute)),
    ({ store }) =>
      insertPour(
        store,
        { pourId: 'pour-a', rateDefault: 'calibration', ...(doubts[0] && { heldReason: doubts[0] }) },
        at(minute),
      ),
  );
  twins.expectSame();
  twins.close();
});

test('a drink of a tap or meter that is not there is refused', () => {
  const { store } = openBar();
  expect(() => insertDrink(store, { tap: 9 }, at(hour))).toThrow('There is no tap 9');
  expect(() => insertDrink(store, { tap: 'pi.flow9' }, at(hour))).toThrow('There is no meter pi.flow9');
});
