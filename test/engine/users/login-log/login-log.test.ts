import { beforeEach, expect, test } from 'vitest';
import { newestRows } from '../../../../src/store/shared/slice.ts';
import { at, minute, openEmptyBar } from '../../bar.ts';

let bar: ReturnType<typeof openEmptyBar>;
let transactions = 0;

beforeEach(() => {
  bar = openEmptyBar();
  bar.engine.users.addUser({ username: 'anna', isStaff: true }, at(0));
  transactions = 0;
  bar.bus.on('database.changed', () => (transactions += 1));
});

const anna = () => bar.engine.users.user('anna')!;
const fail = (ms: number, address = '10.0.0.1', change: object = {}) =>
  bar.engine.users.loginLog.record(
    { outcome: 'failed', method: 'password', userId: anna().id, address, network: address, ...change },
    at(ms),
  );
const entries = () =>
  bar.engine.audit.list({ limit: 500, isLogin: true }).items.map(({ action, subject, username, after }) => ({
    action,
    address: subject.id,
    username,
    ...JSON.parse(after!),
  }));

test('the first failure and the first refusal of an address are written at once, the rest once a minute', () => {
  for (let i = 0; i < 9; i++) fail(i * 100);
  for (let i = 0; i < 5_000; i++) fail(1_000 + i, '10.0.0.1', { outcome: 'locked' });
  expect(transactions).toBe(2);
  for (let s = 1; s < 60; s++) bar.engine.users.loginLog.flush(at(s * 1_000));
  expect(entries().map(({ action }) => action)).toEqual(['login.locked', 'login.failed']);
  const lines = bar.engine.users.loginLog.flush(at(minute));
  expect(lines).toEqual([
    {
      outcome: 'locked',
      address: '10.0.0.1',
      user: 'anna',
      methods: ['password'],
      counts: { succeeded: 0, failed: 8, locked: 4_999 },
    },
  ]);
  expect(entries()[0]).toEqual({
    action: 'login.locked',
    address: '10.0.0.1',
    username: 'anna',
    method: 'password',
    failed: 8,
    locked: 4_999,
  });
});

test('an address that goes on for a day has a few dozen entries, and begins anew after a pause', () => {
  for (let s = 0; s < 24 * 3_600; s += 5) {
    fail(s * 1_000);
    bar.engine.users.loginLog.flush(at(s * 1_000));
  }
  expect(entries().length).toBeLessThan(40);
  const count = entries().length;
  const later = 48 * 60 * minute;
  bar.engine.users.loginLog.flush(at(later));
  bar.engine.users.loginLog.flush(at(later + 2 * 60 * minute));
  expect(fail(later + 3 * 60 * minute)).toHaveLength(1);
  expect(entries().length).toBeLessThanOrEqual(count + 2);
});

test('a flood from thousands of addresses costs a few transactions and entries a minute', () => {
  for (let i = 0; i < 5_000; i++) fail(i, `10.${i >> 8}.${i & 255}.1`);
  expect(transactions).toBe(10);
  const lines = bar.engine.users.loginLog.flush(at(2 * minute));
  expect(transactions).toBe(11);
  expect(lines).toHaveLength(40);
  expect(lines.reduce((sum, { counts }) => sum + counts.failed, 0)).toBe(5_000 - 10);
  expect(entries()).toHaveLength(50);
});

test('one address that tries many accounts has one entry for each of three, and one for the rest', () => {
  const ids = Array.from({ length: 30 }, (_, i) =>
    bar.engine.users.addUser({ username: `user${i + 100}` }, at(0)),
  ).map(({ id }) => id);
  for (const userId of ids) fail(10, '10.0.0.1', { userId });
  bar.engine.users.loginLog.flush(at(2 * minute));
  expect(entries().length).toBeLessThanOrEqual(6);
  expect(entries().reduce((sum, { failed = 1 }) => sum + failed, 0)).toBe(30);
});

test('a flood of failures removes old failures, but no login; all go after ninety days', () => {
  bar.engine.users.loginLog.record(
    { outcome: 'succeeded', method: 'password', userId: anna().id, address: '10.0.0.9', network: '10.0.0.9' },
    at(0),
  );
  for (let turn = 0; turn < 120; turn++) {
    for (let i = 0; i < 60; i++) fail(turn * 10 * minute, `10.${turn}.${i}.1`);
    bar.engine.users.loginLog.flush(at(turn * 10 * minute + 5 * minute));
  }
  const all = bar.store.reports.audit.page({ seek: { is_login: 1 } }, newestRows(9_999));
  expect(all).toHaveLength(4_001);
  expect(all.filter(({ action }) => action === 'login.succeeded')).toHaveLength(1);
  fail(91 * 24 * 60 * minute, '10.200.0.1');
  expect(entries()).toHaveLength(1);
});

test('what waits is written before the daemon stops', () => {
  for (let i = 0; i < 3; i++) fail(i);
  expect(bar.engine.users.loginLog.flush(at(10), { all: true })).toHaveLength(1);
  expect(entries()).toHaveLength(2);
});

test('many addresses, whose summaries are due at different times, write one turn of summaries a minute', () => {
  for (let i = 0; i < 900; i++) fail(i * 60, `10.0.${Math.floor(i / 250)}.${i % 250}`);
  const before = transactions;
  const written: number[] = [];
  for (let s = 0; s < 180; s++) written.push(bar.engine.users.loginLog.flush(at(minute + s * 1_000)).length);
  expect(transactions - before).toBeLessThanOrEqual(3);
  expect(Math.max(...written)).toBeLessThanOrEqual(40);
  expect(written.filter((count) => count > 0).length).toBeLessThanOrEqual(3);
});
