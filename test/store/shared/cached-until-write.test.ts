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
  to.transaction(() => to.taps.add({ name, notes: '', sortOrder: 0 }));
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
  store.transaction(() => store.taps.rename(tapId, 'Middle'));
  expect(names()).toEqual(['Middle']);
});

test('a row of a transaction that was rolled back is not cached', () => {
  const undone = () =>
    store.transaction(() => {
      store.taps.add({ name: 'Ghost', notes: '', sortOrder: 0 });
      expect(names()).toEqual(['Ghost']);
      throw new Error('No.');
    });
  expect(undone).toThrow('No.');
  expect(names()).toEqual([]);
});
