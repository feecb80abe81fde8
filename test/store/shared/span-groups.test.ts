import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/store/store.ts';

const hourMs = 3_600_000;
/** Blocks of 256 sessions, in groups of 64: three groups, of which the last is not full. */
const sessions = 2 * 64 * 256 + 1_000;

let folder: string;
let db: InstanceType<typeof Sqlite>;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-groups-'));
  const file = join(folder, 'database.db');
  store = openStore({ file });
  db = new Sqlite(file);
  db.prepare(
    `WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ?)
     INSERT INTO sessions (start_time_ms, end_time_ms, volume_ml, time_zone)
     SELECT i * ${hourMs}, i * ${hourMs} + 1000, 0, 'UTC' FROM number`,
  ).run(sessions);
});

afterEach(() => {
  db.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const between = (first: number, last: number) => ({ sinceMs: first * hourMs, untilMs: last * hourMs });
const counted = (first: number, last: number) => store.sessions.countBetween(between(first, last));
const newest = (first: number, last: number, limit: number) =>
  store.sessions.page(between(first, last), Number.MAX_SAFE_INTEGER, limit).map(({ id }) => id);
const faults = () => [
  ...store.totalChecks.mustEqual().filter(({ stored, computed }) => stored !== computed),
  ...store.totalChecks.mustReach().filter(({ stored, computed }) => stored < computed),
];
const groups = () =>
  db
    .prepare(`SELECT grp, first_ms / ${hourMs} AS first, items FROM span_groups WHERE list = 'sessions'`)
    .all();

test('sessions of any time span are found and counted through groups of blocks', () => {
  expect(groups()).toEqual([
    { grp: 0, first: 1, items: 64 * 256 - 1 },
    { grp: 1, first: 64 * 256, items: 64 * 256 },
    { grp: 2, first: 0, items: 0 },
  ]);
  for (const [first, last] of [
    [1, 10],
    [5_000, 16_384],
    [16_000, 20_000],
    [100, sessions + 1],
    [32_768, sessions + 1],
    [0, sessions + 1],
  ] as const) {
    const from = Math.max(1, first);
    expect(counted(first, last), `${first} to ${last}`).toBe(last - from);
    expect(newest(first, last, 3)).toEqual([last - 1, last - 2, last - 3]);
  }
});

test('groups stay correct when an old session gets another time, is deleted or inserted', () => {
  const times = db.prepare('UPDATE sessions SET start_time_ms = @ms, end_time_ms = @ms WHERE id = @id');
  times.run({ ms: 40_000 * hourMs, id: 70 });
  db.prepare('DELETE FROM sessions WHERE id IN (80, 20000)').run();
  db.prepare(
    `INSERT INTO sessions (id, start_time_ms, end_time_ms, volume_ml, time_zone) VALUES (80, 1000, 2000, 0, 'UTC')`,
  ).run();

  expect(newest(40_000, 40_001, 5)).toEqual([70]);
  expect(newest(0, 1, 5)).toEqual([80]);
  expect(counted(16_384, 32_768)).toBe(64 * 256 - 1);
  expect(counted(0, 50_000)).toBe(sessions - 1);
  expect(faults().filter(({ what }) => /group|block/.test(what))).toEqual([]);
});
