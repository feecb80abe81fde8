import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sumUncertainty } from '../../../src/core/measurement/uncertainty.ts';
import type { HeldReason } from '../../../src/core/pours/pour.ts';
import { systemActor } from '../../../src/engine/engine.ts';
import type { Store } from '../../../src/store/store.ts';
import { insertPour } from '../../kit/drinks/insert-drink.ts';
import { propertyRuns } from '../../kit/slow.ts';
import { at, hour, minute, openBar } from '../bar.ts';

/** A bar whose left tap poured 300 mL at minute 1. */
function openPouringBar() {
  const bar = openBar();
  insertPour(bar.store, {}, at(minute));
  const keg = () => bar.engine.drinks.uncertainties.keg(bar.engine.kegs.get(bar.keg.id)!);
  const session = () => bar.engine.drinks.uncertainties.session(bar.engine.lists.sessions({}).items[0]!);
  return { ...bar, keg, session };
}

const hold = (store: Store, afterMs: number, tap = 'pi.flow0', heldReason: HeldReason = 'simultaneous') =>
  insertPour(store, { tap, ticks: 900, series: '0:900', heldReason }, at(afterMs));

test('a pour that is held may be beer of the keg and of the session: their ± covers it until it is reviewed', () => {
  const { engine, store, keg, session } = openPouringBar();
  const before = [keg(), session()];
  const { id } = hold(store, 2 * minute);
  expect(session()).toBeCloseTo(Math.hypot(before[1]!, 900), 6);
  expect(keg()).toBeCloseTo(Math.hypot(before[0]!, 900), 6);
  engine.drinks.discard(id, { actor: systemActor }, at(3 * minute));
  expect([keg(), session()]).toEqual(before);
});

test('a pour held at another tap or after the session is no part of them', () => {
  const { store, keg, session } = openPouringBar();
  const before = [keg(), session()];
  hold(store, 20 * hour, 'pi.flow1');
  expect([keg(), session()]).toEqual(before);
});

test('a pour held as electrical noise is no part of them', () => {
  const { store, keg, session } = openPouringBar();
  const before = [keg(), session()];
  hold(store, 2 * minute, 'pi.flow0', 'electrical_noise');
  expect([keg(), session()]).toEqual(before);
});

test('missed ticks widen the ± of the sums as of the drink', () => {
  const { store, session } = openPouringBar();
  const before = session();
  insertPour(store, { ticksLost: 100 }, at(2 * minute));
  // At 1 tick per millilitre: 100 mL, doubled for 95 %.
  expect(session()).toBeGreaterThan(Math.max(before, 200));
});

test('all held pours and those of uncertain time at once are within the ±', () => {
  const sum = fc.record({
    ticksPerMl: fc.double({ min: 0.1, max: 20, noNaN: true }),
    uFactor: fc.double({ min: 0.001, max: 0.1, noNaN: true }),
    pours: fc.integer({ min: 0, max: 500 }),
    volumeMl: fc.double({ min: 0, max: 100_000, noNaN: true }),
    ticksLost: fc.integer({ min: 0, max: 1_000 }),
  });
  fc.assert(
    fc.property(
      fc.array(sum, { maxLength: 5 }),
      fc.double({ min: 0, max: 50_000, noNaN: true }),
      (sums, ml) => {
        const settled = sumUncertainty(sums);
        expect(sumUncertainty(sums, ml)).toBeGreaterThanOrEqual(Math.max(settled, ml) * (1 - 1e-12));
        expect(sumUncertainty(sums, ml)).toBeLessThanOrEqual((settled + ml) * (1 + 1e-12));
      },
    ),
    { numRuns: propertyRuns(200) },
  );
});
