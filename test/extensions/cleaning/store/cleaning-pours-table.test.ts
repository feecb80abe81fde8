import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  looksLikeCleaning,
  patternBounds,
} from '../../../../src/extensions/cleaning/core/cleaning-pattern.ts';
import {
  type CleaningDatabase,
  cleaningStore,
  withCleanings,
} from '../../../../src/extensions/cleaning/store/cleaning-store.ts';
import type { NewDrink } from '../../../../src/store/drinks/drinks-table.ts';
import { openStore } from '../../../../src/store/store.ts';
import { propertyRuns } from '../../../kit/slow.ts';
import { newDrink } from '../../../store/drinks/new-drink.ts';

let store: CleaningDatabase;
let tapId: number;

beforeEach(() => {
  store = withCleanings(openStore({ file: ':memory:', extensions: [cleaningStore] }));
  tapId = store.taps.add({ name: 'Left', notes: '', sortOrder: 0, number: 1 });
});
afterEach(() => store.close());

/** A held pour, which needs neither keg nor session: more than anybody drinks at once unless stated otherwise. */
const addPour = (changes: Partial<NewDrink> = {}): number =>
  store.drinks.add(
    { ...newDrink, heldReason: 'too_large', kegId: null, tapId, volumeMl: 6_000, ...changes },
    null,
  );
const candidateIds = (sinceMs = 0) => store.cleaningPours.candidates(sinceMs).map(({ id }) => id);

test('every pour that may look like a cleaning is a candidate, and no glass is', () => {
  const { largeMl, leastFastMl, fastMlPerS } = patternBounds;
  const near = (value: number) => fc.constantFrom(value - 1, value, value + 1);
  const volumeMl = fc.oneof(
    near(largeMl),
    near(leastFastMl),
    fc.double({ min: 0, max: 20_000, noNaN: true }),
  );
  fc.assert(
    fc.property(volumeMl, fc.constantFrom(-1, 0, 1), fc.boolean(), (ml, change, isTimed) => {
      const durationMs = isTimed ? Math.max(1, Math.round((ml * 1_000) / fastMlPerS) + change) : 0;
      const pour = { id: 0, tapId, timeMs: 0, durationMs, volumeMl: ml, series: null };
      const id = addPour({ volumeMl: ml, durationMs, pourTimeMs: 0 });
      const mayBe = [true, false, null].some((isServed) => looksLikeCleaning(pour, isServed));
      expect(candidateIds()).toEqual(mayBe ? [id] : []);
      store.drinks.remove(id);
    }),
    { numRuns: propertyRuns(800) },
  );
});

test('candidates are the newest 200 since a time, newest first', () => {
  const ids = Array.from({ length: 201 }, (_, i) => addPour({ pourTimeMs: i }));
  expect(candidateIds()).toEqual(ids.slice(1).reverse());
  expect(candidateIds(200)).toEqual([ids[200]]);
  expect(candidateIds(201)).toEqual([]);
});

test('a pour without a tap or a certain time, or that was judged, is no candidate', () => {
  addPour({ tapId: null });
  addPour({ timeCertain: false });
  const judged = addPour();
  store.cleaningPours.dismiss(judged);
  store.cleaningPours.dismiss(judged);
  expect(candidateIds()).toEqual([]);
  store.cleaningPours.undismiss(judged);
  expect(candidateIds()).toEqual([judged]);
});
