import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';

let folder: string;
let store: Store;
let other: Store;
let reads: number;
let taps: () => readonly { readonly name: string }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-cache-'));
  const file = join(folder, 'tapster.db');
  store = openStore({ file });
  other = openStore({ file });
  reads = 0;
  taps = store.cachedUntilWrite(() => {
    reads += 1;
    return store.taps.all();
  });
});
afterEach(() => {
  store.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const addTap = (to: Store, name: string) =>
  to.transaction(() => to.taps.add({ name, notes: '', sortOrder: 0, number: to.taps.all().length + 1 }));
const names = () => taps().map(({ name }) => name);

test('a value is read once while nothing is written', () => {
  addTap(store, 'Left');
  expect([names(), names(), names()]).toEqual([['Left'], ['Left'], ['Left']]);
  expect(reads).toBe(1);
});

test('a row added by this connection invalidates the cached value', () => {
  expect(names()).toEqual([]);
  addTap(store, 'Left');
  expect(names()).toEqual(['Left']);
});

test('a row added by another connection invalidates the cached value', () => {
  expect(names()).toEqual([]);
  addTap(other, 'Left');
  expect(names()).toEqual(['Left']);
  addTap(other, 'Right');
  expect(names()).toEqual(['Left', 'Right']);
});

test('an update invalidates the cached value', () => {
  const tapId = addTap(store, 'Left');
  names();
  store.transaction(() => store.taps.change(tapId, { name: 'Middle' }));
  expect(names()).toEqual(['Middle']);
});

test('a row of a transaction that was rolled back is not cached', () => {
  const undone = () =>
    store.transaction(() => {
      store.taps.add({ name: 'Ghost', notes: '', sortOrder: 0, number: 1 });
      expect(names()).toEqual(['Ghost']);
      throw new Error('No.');
    });
  expect(undone).toThrow('No.');
  expect(names()).toEqual([]);
});

/** A cached title of the site, with the number of times it was read. */
function cachedTitle() {
  let titleReads = 0;
  const title = store.cachedUntilChange(() => {
    titleReads += 1;
    return store.site.read().title;
  });
  const rename = (name: string, to = store) =>
    to.transaction(() => to.site.write({ ...to.site.read(), title: name }));
  rename('The Crown');
  return { title, rename, reads: () => titleReads };
}

const countTicks = () => store.recording(() => store.taps.meters.countWithoutMeter('pi.flow0', 5));

test('a value cached until a change stays cached while pours are recorded', () => {
  const { title, reads: titleReads } = cachedTitle();
  expect([title(), title()]).toEqual(['The Crown', 'The Crown']);
  countTicks();
  store.recording(() => {
    store.taps.meters.countWithoutMeter('pi.flow0', 5);
    expect(title()).toBe('The Crown');
  });
  expect(() =>
    store.recording(() => {
      store.taps.meters.countWithoutMeter('pi.flow0', 5);
      throw new Error('rolled back');
    }),
  ).toThrow('rolled back');
  expect(title()).toBe('The Crown');
  expect(titleReads()).toBe(1);
});

test('a value cached until a change is read again after a change by this or another connection', () => {
  const { title, rename } = cachedTitle();
  title();
  countTicks();
  rename('The Anchor');
  expect(title()).toBe('The Anchor');
  rename('The Bell', other);
  expect(title()).toBe('The Bell');
});

test('a change within a recording, or around it, is seen at once and after a rollback no longer', () => {
  const { title, rename } = cachedTitle();
  title();
  store.recording(() => {
    rename('The Anchor');
    expect(title()).toBe('The Anchor');
  });
  expect(title()).toBe('The Anchor');
  const undone = () =>
    store.transaction(() => {
      countTicks();
      rename('Ghost');
      expect(title()).toBe('Ghost');
      throw new Error('rolled back');
    });
  expect(undone).toThrow('rolled back');
  expect(title()).toBe('The Anchor');
  countTicks();
  expect(title()).toBe('The Anchor');
});

test('a cached value is used in a transaction that only reads', () => {
  const { title, reads: titleReads } = cachedTitle();
  title();
  expect(store.snapshot(() => title())).toBe('The Crown');
  expect(titleReads()).toBe(1);
  expect(store.snapshot(names)).toEqual([]);
  names();
  expect(reads).toBe(1);
});
