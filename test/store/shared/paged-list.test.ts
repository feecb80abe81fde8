import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newestRows } from '../../../src/store/shared/slice.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

const hourMs = 3_600_000;
const sessions = 33_768;

let folder: string;
let db: InstanceType<typeof Sqlite>;
let store: Store;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapster-lists-'));
  const file = join(folder, 'database.db');
  store = openStore({ file });
  db = new Sqlite(file);
  db.prepare(
    `WITH RECURSIVE number (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM number WHERE i < ?)
     INSERT INTO sessions (start_time_ms, end_time_ms, volume_ml, time_zone, local_day)
     SELECT i * ${hourMs}, i * ${hourMs} + 1000, 0, 'UTC', i / 24 FROM number`,
  ).run(sessions);
});

afterEach(() => {
  db.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const between = (first: number, last: number) =>
  store.drinks.sessions.between({ sinceMs: first * hourMs, untilMs: last * hourMs });
const newest = (first: number, last: number, limit: number) =>
  store.drinks.sessions.page({ time: between(first, last) }, newestRows(limit)).map(({ id }) => id);

test('sessions of any time span are found and counted', () => {
  for (const [first, last] of [
    [1, 10],
    [5_000, 16_384],
    [16_000, 20_000],
    [100, sessions + 1],
    [32_768, sessions + 1],
    [0, sessions + 1],
  ] as const) {
    const from = Math.max(1, first);
    expect(between(first, last).total, `${first} to ${last}`).toBe(last - from);
    expect(newest(first, last, 3)).toEqual([last - 1, last - 2, last - 3]);
  }
  expect(between(sessions + 10, sessions + 20).total).toBe(0);
  expect(newest(sessions + 10, sessions + 20, 3)).toEqual([]);
});

test('a time span is correct when an old session gets another time, is deleted or inserted', () => {
  const times = db.prepare('UPDATE sessions SET start_time_ms = @ms, end_time_ms = @ms WHERE id = @id');
  times.run({ ms: 40_000 * hourMs, id: 70 });
  db.prepare('DELETE FROM sessions WHERE id IN (80, 20000)').run();
  db.prepare(
    `INSERT INTO sessions (id, start_time_ms, end_time_ms, volume_ml, time_zone, local_day)
     VALUES (80, 1000, 2000, 0, 'UTC', 0)`,
  ).run();

  expect(newest(40_000, 40_001, 5)).toEqual([70]);
  expect(newest(0, 1, 5)).toEqual([80]);
  expect(between(16_384, 32_768).total).toBe(16_384 - 1);
  expect(between(0, 50_000).total).toBe(sessions - 1);
});

test('readings of a time span are counted up to 150 000, and the page starts with the newest all the same', () => {
  db.exec(`
    INSERT INTO thermo_sensors (id, raw_name, readings) VALUES (1, '28-1', 90000), (2, '28-2', 90000);
    WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i < 179999)
      INSERT INTO thermo_logs (sensor_id, temp_c, time_ms) SELECT i % 2 + 1, 4, i / 2 * 60000 FROM number;`);
  const all = store.temperatures.between({ untilMs: 89_990 * 60_000 });
  expect(all.total).toBe(150_000);
  expect(store.temperatures.page({ time: all }, newestRows(3)).map(({ id }) => id)).toEqual([
    179_980, 179_979, 179_978,
  ]);
  const ofSensor = store.temperatures.between({ untilMs: 89_990 * 60_000 }, 1);
  expect(ofSensor.total).toBe(89_990);
  expect(
    store.temperatures.page({ seek: { sensor_id: 1 }, time: ofSensor }, newestRows(2)).map(({ id }) => id),
  ).toEqual([179_979, 179_977]);
  expect([store.temperatures.count(), store.temperatures.count(2), store.temperatures.count(3)]).toEqual([
    180_000, 90_000, 0,
  ]);
});

test('the database check compares the number of readings of a sensor with its rows', () => {
  db.exec(`
    DELETE FROM sessions;
    INSERT INTO thermo_sensors (id, raw_name, readings) VALUES (1, '28-1', 1), (2, '28-2', 2);
    INSERT INTO thermo_logs (sensor_id, temp_c, time_ms) VALUES (1, 4, 0), (2, 4, 0);`);
  expect(store.site.totalChecks.unequal()).toEqual([
    { what: 'readings of sensor 2', stored: 2, computed: 1 },
  ]);
});
