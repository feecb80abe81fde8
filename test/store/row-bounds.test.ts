import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Moment } from '../../src/core/clock/moment.ts';
import { SeenIds } from '../../src/extensions/kegboards/core/seen-ids.ts';
import { newestRows } from '../../src/store/shared/slice.ts';
import { openStore, type Store } from '../../src/store/store.ts';

/** Tables that reports from outside fill: a faulty or hostile controller must not fill the disk. */
let store: Store;

beforeEach(() => {
  store = openStore({ file: ':memory:' });
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
    store.refusedPours.add({
      device: `board-${i % 2}`,
      bootId: 'b',
      eventId: i,
      reason: 'r',
      event: '{}',
      timeMs: 0,
    });
  const counts = () => [0, 1].map((i) => store.refusedPours.count(`board-${i}`));
  add(0);
  add(0);
  expect(counts()).toEqual([1, 0]);
  repeat(1_003, add);
  expect(counts()).toEqual([500, 500]);
  repeat(3, (i) => add(2_000 + 2 * i));
  expect(counts().reduce((sum, count) => sum + count)).toBe(1_000);
  expect(counts()[0]).toBeGreaterThan(500);
});

test('of presented tokens those of the last 1 000 presentments stay', () => {
  const note = (i: number) =>
    store.presentedTokens.note({ authDevice: 'core.rfid', tokenValue: `t${i}`, device: 'pi', lastTimeMs: i });
  const find = (i: number) => store.presentedTokens.find('core.rfid', `t${i}`);
  repeat(1_000, note);
  note(0);
  expect(find(0)).toMatchObject({ times: 2, lastTimeMs: 0 });
  expect(find(1)).not.toBeNull();
  note(1_000);
  expect([find(1), find(0)?.times, find(2)?.times]).toEqual([null, 2, 1]);
  expect(store.presentedTokens.unknown(2_000)).toHaveLength(1_000);
});

test('of grants the newest 20 000 stay', () => {
  const { id: userId } = store.users.add({
    username: 'bert',
    displayName: 'Bert',
    email: '',
    isStaff: false,
    isSuperuser: false,
    isActive: true,
    joinedTimeMs: 0,
    passwordHash: null,
  });
  const add = (i: number) =>
    store.grants.add({ id: `g${i}`, device: 'board', userId, authDevice: 'core.rfid', tokenValue: 't' });
  repeat(20_001, add);
  expect(store.grants.count()).toBe(20_000);
  expect([store.grants.byId('g0'), store.grants.byId('g1')?.id]).toEqual([null, 'g1']);
  expect(store.grants.page(newestRows(1))[0]!.id).toBe('g20000');
});

test('of the commands that wait for one kegboard the newest 64 stay', () => {
  const [one, other] = [store.kegboards.add('a', 0).id, store.kegboards.add('b', 0).id];
  const add = (kegboardId: number, i: number) =>
    store.kegboardCommands.add(kegboardId, { id: `c${kegboardId}-${i}`, type: 'deny', data: {} }, null, now);
  const waiting = (kegboardId: number) => store.kegboardCommands.waiting(kegboardId).map(({ id }) => id);
  add(other, 0);
  repeat(65, (i) => add(one, i));
  expect(waiting(one)).toEqual(Array.from({ length: 64 }, (_, i) => `c${one}-${i + 1}`));
  expect(waiting(other)).toEqual([`c${other}-0`]);
});

test('the handled events of the last 512 boots of a kegboard are known, and not many more', () => {
  const isKnown = (device: string, i: number) => store.kegboardCursors.find(device, `b${i}`) !== null;
  store.kegboardCursors.save('other', 'b0', new SeenIds());
  repeat(600, (i) => store.kegboardCursors.save('board', `b${i}`, store.kegboardCursors.begin('board')));
  const known = Array.from({ length: 600 }, (_, i) => i).filter((i) => isKnown('board', i));
  expect(known.slice(-512)).toEqual(Array.from({ length: 512 }, (_, i) => 88 + i));
  expect(known.length).toBeLessThanOrEqual(513);
  expect(isKnown('other', 0)).toBe(true);
});
