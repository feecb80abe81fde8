import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Moment } from '../../../../src/core/clock/moment.ts';
import { SeenIds } from '../../../../src/extensions/kegboards/core/seen-ids.ts';
import { kegboards } from '../../../../src/extensions/kegboards/extension.ts';
import type { KegboardTables } from '../../../../src/extensions/kegboards/store/kegboards-store.ts';
import { openStore, type Store } from '../../../../src/store/store.ts';
import { boardTablesOf } from '../kit/boards.ts';

/** Tables that reports from outside fill: a faulty or hostile board must not fill the disk. */
let store: Store;
let tables: KegboardTables;

beforeEach(() => {
  store = openStore({ file: ':memory:', extensions: [kegboards] });
  tables = boardTablesOf(store);
});
afterEach(() => store.close());

/** In one transaction, as a commit for each would take most of the time. */
const repeat = (times: number, add: (i: number) => void): void =>
  store.transaction(() => {
    for (let i = 0; i < times; i++) add(i);
  });
const now: Moment = { monoMs: 0, wallMs: 0, synced: true, bootId: 'boot-1' };

test('of refused pours the newest 1 000 stay, and one that is reported again is stored once', () => {
  const add = (i: number) =>
    tables.refusedPours.add({
      device: `board-${i % 2}`,
      bootId: 'b',
      eventId: i,
      reason: 'r',
      event: '{}',
      timeMs: 0,
    });
  const counts = () => [0, 1].map((i) => tables.refusedPours.count(`board-${i}`));
  add(0);
  add(0);
  expect(counts()).toEqual([1, 0]);
  repeat(1_003, add);
  expect(counts()).toEqual([500, 500]);
  repeat(3, (i) => add(2_000 + 2 * i));
  expect(counts().reduce((sum, count) => sum + count)).toBe(1_000);
  expect(counts()[0]).toBeGreaterThan(500);
});

test('of the commands that wait for one kegboard the newest 64 stay', () => {
  const [one, other] = [tables.kegboards.add('a', 0).id, tables.kegboards.add('b', 0).id];
  const add = (kegboardId: number, i: number) =>
    tables.commands.add(kegboardId, { id: `c${kegboardId}-${i}`, type: 'deny', data: {} }, null, now);
  const waiting = (kegboardId: number) => tables.commands.waiting(kegboardId).map(({ id }) => id);
  add(other, 0);
  repeat(65, (i) => add(one, i));
  expect(waiting(one)).toEqual(Array.from({ length: 64 }, (_, i) => `c${one}-${i + 1}`));
  expect(waiting(other)).toEqual([`c${other}-0`]);
});

test('the handled events of the last 512 boots of a kegboard are known, and not many more', () => {
  const isKnown = (device: string, i: number) => tables.cursors.find(device, `b${i}`) !== null;
  tables.cursors.save('other', 'b0', new SeenIds());
  repeat(600, (i) => tables.cursors.save('board', `b${i}`, tables.cursors.begin('board')));
  const known = Array.from({ length: 600 }, (_, i) => i).filter((i) => isKnown('board', i));
  expect(known.slice(-512)).toEqual(Array.from({ length: 512 }, (_, i) => 88 + i));
  expect(known.length).toBeLessThanOrEqual(513);
  expect(isKnown('other', 0)).toBe(true);
});
