import { beforeEach, expect, test } from 'vitest';
import type { Logins } from '../../../src/engine/engine.ts';
import { loginLifeMs, maxLoginsPerUser } from '../../../src/engine/users/logins.ts';
import { at, hour, minute, openEmptyBar } from '../bar.ts';

let bar: ReturnType<typeof openEmptyBar>;
let logins: Logins;

beforeEach(() => {
  bar = openEmptyBar();
  logins = bar.engine.users.logins;
  for (const username of ['ana', 'bob']) bar.engine.users.addUser({ username }, at(0));
});

const open = (username = 'ana', now = at(0)) => logins.open(username, 'password', now);
const nameOf = (token: string, now = at(minute)) => logins.find(token, now)?.user.username ?? null;

test('a token finds its login, and no other text does', () => {
  const ana = open();
  const bob = open('bob');
  expect(nameOf(ana.token)).toBe('ana');
  expect(nameOf(bob.token)).toBe('bob');
  const almost = ana.token.slice(0, 42) + (ana.token.endsWith('A') ? 'B' : 'A');
  for (const wrong of [almost, '', `${ana.token} `, 'x'.repeat(10_000)]) expect(nameOf(wrong)).toBeNull();
});

test('the database file does not contain the token', () => {
  const { token } = open();
  const rows = JSON.stringify(bar.store.users.logins.byHash(Buffer.from(token, 'base64url')));
  expect(rows).toBe('null');
});

test('a login expires fourteen days after its last use, not after its start', () => {
  const { token } = open();
  const day = 24 * hour;
  expect(loginLifeMs).toBe(14 * day);
  expect(nameOf(token, at(13 * day))).toBe('ana');
  expect(nameOf(token, at(26 * day))).toBe('ana');
  expect(nameOf(token, at(40 * day))).toBeNull();
});

test('use of a login is written once an hour', () => {
  const { token } = open();
  expect(logins.find(token, at(59 * minute))?.extended).toBe(false);
  expect(logins.find(token, at(61 * minute))?.extended).toBe(true);
  expect(logins.find(token, at(62 * minute))?.extended).toBe(false);
});

test('setting the clock does not end the login of the user who sets it', () => {
  const lost = { synced: false, wallMs: Date.UTC(2025, 0, 1) };
  const { token } = open('ana', at(0, lost));
  expect(nameOf(token, at(minute, lost))).toBe('ana');
  expect(logins.find(token, at(2 * minute))).toMatchObject({ extended: true, user: { username: 'ana' } });
  // From now on the true time counts, in the next boot too.
  expect(nameOf(token, at(2 * hour, { bootId: 'boot-2', monoMs: 5 }))).toBe('ana');
});

test('ends one login, all of a user, or all except the current one', () => {
  const [first, second, third] = [open(), open(), open()];
  const bob = open('bob');
  logins.close(first.loginId);
  expect([first, second, third].map(({ token }) => nameOf(token))).toEqual([null, 'ana', 'ana']);
  logins.closeAllOf('ana', third.loginId);
  expect([second, third].map(({ token }) => nameOf(token))).toEqual([null, 'ana']);
  logins.closeAllOf('ana');
  expect(nameOf(third.token)).toBeNull();
  expect(nameOf(bob.token)).toBe('bob');
  logins.closeAll();
  expect(nameOf(bob.token)).toBeNull();
});

test('the twenty-first login removes the first', () => {
  const tokens = Array.from({ length: maxLoginsPerUser + 1 }, () => open().token);
  expect(nameOf(tokens[0]!)).toBeNull();
  expect(nameOf(tokens[1]!)).toBe('ana');
  expect(bar.store.users.logins.countByUser(1)).toBe(maxLoginsPerUser);
});

test('expired logins are removed at the next login', () => {
  open('bob');
  open('ana', at(15 * 24 * hour));
  expect(bar.store.users.logins.countByUser(2)).toBe(0);
});

test('an unknown account cannot log in', () => {
  expect(() => open('nobody')).toThrow(expect.objectContaining({ code: 'not_allowed' }));
});
