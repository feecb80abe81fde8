import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Moment } from '../../src/core/clock/moment.ts';
import { minuteRetentionMs } from '../../src/engine/temperatures/thermo-history.ts';
import { at, hour, minute, openBar, pour } from '../engine/bar.ts';
import { recordMeasurement } from './measurements.ts';

const day = 24 * hour;
const years = 10;
/** A busy bar that opens every day. */
const drinksPerDay = 250;
const sensorCount = 6;
const allowedBytes = 1e9;
const allowedIdleDay = 10 * 1024 * 1024;

/** The database is not needed after the test, so it is on a memory disk where there is one. */
const memoryDisk = '/dev/shm';
let folder: string;
let file: string;
let bar: ReturnType<typeof openBar>;
beforeAll(() => {
  folder = mkdtempSync(join(existsSync(memoryDisk) ? memoryDisk : tmpdir(), 'tapster-years-'));
  file = join(folder, 'tapster.db');
  bar = openBar(file);
  tappedKegId = bar.keg.id;
  for (let n = 0; n < 40; n++) bar.engine.users.addUser({ username: `guest${n}` }, at(0));
});
afterAll(() => {
  bar.store.close();
  rmSync(folder, { recursive: true });
});

/** Bytes used by the whole database, or by one table and its indexes (`dbstat`). */
function usedBytes(table?: string): number {
  const db = new Sqlite(file, { readonly: true });
  try {
    const filter = 'name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?)';
    const sum = db
      .prepare<string[], number>(`SELECT sum(pgsize) FROM dbstat ${table ? `WHERE ${filter}` : ''}`)
      .pluck();
    return sum.get(...(table ? [table] : []))!;
  } finally {
    db.close();
  }
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

const bootId = '3f0c8a52-7d1e-4c55-9a3b-1f6f0a9d2c11';
const moment = (afterMs: number): Moment => at(afterMs, { bootId });
let pourCount = 0;
let tappedKegId = 0;

/** One day: a keg change and `drinksPerDay` drinks, every second one with a user. */
function simulateDay(n: number): void {
  const { engine, left } = bar;
  const opening = n * day;
  engine.kegs.end(tappedKegId, moment(opening));
  tappedKegId = engine.kegs.start(
    left.id,
    { beverage: { name: 'Lager', producerName: 'Brewery', styleName: 'Pils' }, sizeKey: 'euro-30-liter' },
    moment(opening),
  ).id;
  for (let index = 0; index < drinksPerDay; index++) {
    const end = moment(opening + Math.floor((index * 8 * hour) / drinksPerDay) + 10_000);
    const pourId = `5d2f6a1c-0b7e-4a39-8c42-${String(++pourCount).padStart(12, '0')}`;
    const series = Array.from({ length: 10 }, (_, s) => `${s * 1_000}:${30 + ((index + s) % 5)}`).join(' ');
    const details = { pourId, series, ticks: 320 };
    if (index % 2 === 0) engine.drinks.pours.record(pour(end, details), 'pin', end);
    else {
      const username = `guest${index % 40}`;
      engine.drinks.pours.report(
        { tap: 'pi.flow0', durationMs: 10_000, source: 'post', username, ...details },
        end,
      );
    }
  }
}

let drinksBytes = 0;

test('ten years of drinks of a busy bar, with sessions, kegs, events and statistics, take less than 0.9 GB', (context) => {
  const [warmUpDays, totalDays] = [4, 12];
  for (let n = 0; n < warmUpDays; n++) simulateDay(n);
  const before = usedBytes();
  for (let n = warmUpDays; n < totalDays; n++) simulateDay(n);
  const bytesPerDay = (usedBytes() - before) / (totalDays - warmUpDays);
  drinksBytes = bytesPerDay * 365.25 * years;
  recordMeasurement(context, {
    what: `Ten years of ${drinksPerDay} drinks a day, events and statistics included`,
    found: megabytes(drinksBytes),
  });
  expect(drinksBytes).toBeGreaterThan(100e6);
  expect(drinksBytes).toBeLessThan(allowedBytes * 0.9);
});

/** Bytes this process has written, by the kernel's counter. */
const writtenBytes = () => Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);

/** Six sensors, read once a minute and written every half hour; old minutes are aggregated to hours. */
function simulateIdleDay(n: number, batch = 30): void {
  const { engine } = bar;
  for (let sinceMs = n * day; sinceMs < (n + 1) * day; sinceMs += batch * minute) {
    const readings = Array.from({ length: batch * sensorCount }, (_, i) => ({
      sensor: `28-00000000000${i % sensorCount}`,
      tempC: 4 + ((sinceMs / minute + i) % 40) / 16,
      at: moment(sinceMs + Math.floor(i / sensorCount) * minute),
    }));
    engine.temperatures.logAll(readings);
    while (engine.temperatures.history.thin(moment(sinceMs + batch * minute)) > 0);
  }
}

test('ten years of six thermo sensors are a month of minutes and years of hours, and an idle day writes less than 10 MiB', {
  timeout: 300_000,
}, (context) => {
  const keptDays = minuteRetentionMs / day;
  // The month before is filled in day-sized batches, since its writes are not measured.
  for (let n = 0; n <= keptDays; n++) simulateIdleDay(n, 1_440);
  const filledBytes = [usedBytes('thermo_logs'), usedBytes('thermo_hours')];
  const before = writtenBytes();
  const days = 6;
  for (let n = 0; n < days; n++) simulateIdleDay(keptDays + 1 + n);
  const idleDay = (writtenBytes() - before) / days;
  const [minutes, hours] = [usedBytes('thermo_logs'), usedBytes('thermo_hours')];
  // Minutes are removed as fast as they are added.
  expect(minutes).toBeLessThan(filledBytes[0]! * 1.1);
  const hoursPerDay = (hours - filledBytes[1]!) / days;
  const thermoBytes = minutes + hoursPerDay * 365.25 * years;
  recordMeasurement(context, {
    what: `Ten years of ${sensorCount} thermo sensors, old minutes aggregated to hours`,
    found: megabytes(thermoBytes),
  });
  recordMeasurement(context, {
    what: 'Ten years of both',
    found: megabytes(drinksBytes + thermoBytes),
    allowed: megabytes(allowedBytes),
  });
  recordMeasurement(context, {
    what: `Written in an idle day with ${sensorCount} thermo sensors, a month of minutes stored`,
    found: `${(idleDay / 1024 / 1024).toFixed(1)} MiB`,
    allowed: '10.0 MiB',
  });
  expect(drinksBytes + thermoBytes).toBeLessThan(allowedBytes);
  expect(idleDay).toBeLessThan(allowedIdleDay);
  expect(bar.engine.site.checkDatabase()).toEqual([]);
});
