import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('of presented tokens those of the last 1 000 presentments stay', () => {
  const note = (i: number) =>
    store.access.presentedTokens.note({
      authDevice: 'core.rfid',
      tokenValue: `t${i}`,
      device: 'pi',
      lastTimeMs: i,
    });
  const find = (i: number) => store.access.presentedTokens.find('core.rfid', `t${i}`);
  repeat(1_000, note);
  note(0);
  expect(find(0)).toMatchObject({ times: 2, lastTimeMs: 0 });
  expect(find(1)).not.toBeNull();
  note(1_000);
  expect([find(1), find(0)?.times, find(2)?.times]).toEqual([null, 2, 1]);
  expect(store.access.presentedTokens.unknown(2_000)).toHaveLength(1_000);
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
    store.access.grants.add({
      id: `g${i}`,
      device: 'board',
      userId,
      authDevice: 'core.rfid',
      tokenValue: 't',
    });
  repeat(20_001, add);
  expect(store.access.grants.count()).toBe(20_000);
  expect([store.access.grants.byId('g0'), store.access.grants.byId('g1')?.id]).toEqual([null, 'g1']);
  expect(store.access.grants.page(newestRows(1))[0]!.id).toBe('g20000');
});
