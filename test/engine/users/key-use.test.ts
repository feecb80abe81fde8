import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { at, hour, minute, openBar, openingMs } from '../bar.ts';

let folder: string;
let bar: ReturnType<typeof openBar>;
let database: Sqlite.Database;
let secret: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-keys-'));
  bar = openBar(join(folder, 'tapster.db'));
  bar.engine.users.addUser({ username: 'ana', isStaff: true }, at(0));
  secret = bar.engine.users.createKey('ana', 'board', at(0)).secret;
  database = new Sqlite(join(folder, 'tapster.db'), { readonly: true });
});
afterEach(() => {
  database.close();
  bar.store.close();
  rmSync(folder, { recursive: true });
});

const lastUsedMs = () => database.prepare('SELECT last_used_time_ms FROM api_keys').pluck().get();
/** Changes after every commit of another connection. */
const commits = () => database.pragma('data_version', { simple: true });
const use = (afterMs: number, options = {}) =>
  expect(bar.engine.users.byKey(secret, at(afterMs, options))).toHaveProperty('user');

test('the last use of a key is recorded once for many requests', () => {
  use(minute);
  expect(lastUsedMs()).toBe(openingMs + minute);
  const before = commits();
  for (let i = 0; i < 1_000; i++) use(minute + i * 3_000);
  expect(commits()).toBe(before);
  use(minute + hour);
  expect(lastUsedMs()).toBe(openingMs + minute + hour);
  expect(commits()).not.toBe(before);
});

test('a use with an unset clock is not recorded; the first one after that is', () => {
  const before = commits();
  use(minute, { synced: false, wallMs: 1_000 });
  expect(commits()).toBe(before);
  use(2 * minute);
  expect(lastUsedMs()).toBe(openingMs + 2 * minute);
});

test('a read-only database accepts the key', () => {
  const other = new Sqlite(join(folder, 'tapster.db'));
  other.exec('BEGIN IMMEDIATE');
  use(minute);
  other.exec('ROLLBACK');
  other.close();
  expect(lastUsedMs()).toBeNull();
});

test('another address is stored after a minute, and shown at once', () => {
  const { users } = bar.engine;
  const { ownKeys } = bar.engine.users;
  const stored = () => database.prepare('SELECT last_used_address FROM api_keys').pluck().get();
  const shown = () => ownKeys.list(users.user('ana')!.id, {}).items[0]!.lastUsedAddress;
  const useFrom = (address: string, afterMs: number) => users.byKey(secret, at(afterMs), address);
  useFrom('192.0.2.1', minute);
  expect([stored(), shown()]).toEqual(['192.0.2.1', '192.0.2.1']);
  useFrom('192.0.2.2', minute + 1_000);
  expect([stored(), shown()]).toEqual(['192.0.2.1', '192.0.2.2']);
  useFrom('192.0.2.2', 2 * minute);
  expect([stored(), shown()]).toEqual(['192.0.2.2', '192.0.2.2']);
  const before = commits();
  // Two controllers with one key write once a minute, not with every request.
  for (let i = 0; i < 58; i++) useFrom(`192.0.2.${1 + (i % 2)}`, 2 * minute + i * 1_000);
  expect(commits()).toBe(before);
});
