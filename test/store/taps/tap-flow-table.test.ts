import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewDrink } from '../../../src/store/drinks/drinks-table.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { newDrink } from '../drinks/new-drink.ts';

let store: Store;
let tapId: number;
let sessionId: number;

beforeEach(() => {
  store = openStore({ file: ':memory:' });
  tapId = store.taps.add({ name: 'Left', notes: '', sortOrder: 0, number: 1 });
  sessionId = store.drinks.sessions.add({ startTimeMs: 1, endTimeMs: 2, volumeMl: 0, timeZone: 'UTC' });
});
afterEach(() => store.close());

/** A pour that a meter of this machine counted while it ran. */
const add = (changes: Partial<NewDrink> = {}): number =>
  store.drinks.add(
    {
      ...newDrink,
      tapId,
      kegId: null,
      meter: 'pi.flow0',
      ticks: 600,
      series: '0:300 5000:300',
      volumeGiven: false,
      pourTimeMs: 1_500,
      source: 'pin',
      ...changes,
    },
    sessionId,
  );
const day = (changes: object = {}) => ({
  tapId,
  meter: 'pi.flow0',
  sinceMs: 1_000,
  untilMs: 2_000,
  ...changes,
});
const times = () => store.taps.flow.pours(day()).map(({ pourTimeMs }) => pourTimeMs);

test('a day has the pours from its first millisecond to the one before the next day, newest first', () => {
  for (const pourTimeMs of [999, 1_000, 1_999, 2_000]) add({ pourTimeMs });
  expect(times()).toEqual([1_999, 1_000]);
});

test('of the busiest tap the newest 30 are read', () => {
  for (let i = 0; i < 31; i++) add({ pourTimeMs: 1_100 + i });
  expect(times()).toEqual(Array.from({ length: 30 }, (_, i) => 1_130 - i));
});

test('a volume that a person changed says nothing of the flow, and an onset of gas makes a pour foamy', () => {
  add({ volumeGiven: true });
  add({ gasOnsetMs: 0 });
  expect(store.taps.flow.pours(day())).toMatchObject([
    { volumeMl: expect.any(Number), isFoamy: true },
    { volumeMl: null, isFoamy: false },
  ]);
});

test.each([
  { meter: 'pi.flow1' },
  { timeCertain: false },
  { recovered: true },
  { source: 'post' as const },
  { series: null },
  { gasTicks: 1 },
  { foamTicks: 1 },
])('a pour with %o does not show the flow of the line', (changes) => {
  add(changes);
  expect(times()).toEqual([]);
  expect(store.taps.flow.version(day())).toBeNull();
});

test('pours until the rates of the tap were forgotten are left out', () => {
  add();
  store.taps.rates.forget(tapId, 1_499);
  expect(times()).toEqual([1_500]);
  store.taps.rates.forget(tapId, 1_500);
  expect(times()).toEqual([]);
});

test('the version changes with each pour of the day and each correction of one, and with nothing else', () => {
  expect(store.taps.flow.version(day())).toBeNull();
  const versions = [add()].map(() => store.taps.flow.version(day()));
  const changes = [
    () => add({ pourTimeMs: 1_600 }),
    () => store.drinks.setVolume(1, 300),
    () => store.drinks.setVolume(1, 310),
    () => add({ pourTimeMs: 1_601, gasOnsetMs: 10 }),
    () => store.drinks.remove(2),
  ];
  for (const change of changes) {
    change();
    versions.push(store.taps.flow.version(day()));
  }
  expect(new Set(versions).size).toBe(versions.length);
  add({ pourTimeMs: 2_500 });
  add({ meter: 'pi.flow1' });
  expect(store.taps.flow.version(day())).toBe(versions.at(-1));
});
