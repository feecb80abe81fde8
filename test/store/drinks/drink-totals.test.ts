import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { drinkTotalsTable } from '../../../src/store/drinks/drink-totals-table.ts';
import { drinksTable, type NewDrink } from '../../../src/store/drinks/drinks-table.ts';
import { sessionsTable } from '../../../src/store/drinks/sessions/sessions-table.ts';
import { totalChecks } from '../../../src/store/site/stored-totals.ts';
import { newDrink } from './new-drink.ts';

const dayMs = 86_400_000;
const newYearMs = Date.UTC(2027, 0, 1);
const hourMs = 3_600_000;

let db: Database;
let tables: ReturnType<typeof createTables>;

function createTables() {
  const totals = drinkTotalsTable(db);
  return {
    totals,
    drinks: drinksTable(db, totals),
    sessions: sessionsTable(db, totals),
    checks: totalChecks(db),
  };
}

beforeEach(() => {
  db = openDatabase(':memory:');
  db.exec(`
    INSERT INTO producers (id, name, country) VALUES (1, 'Brewery', 'BEL');
    INSERT INTO beverages (id, name, producer_id, beverage_type, color_hex) VALUES (1, 'Ale', 1, 'beer', '#C35900');
    INSERT INTO kegs (id, beverage_id, size_id, state, full_volume_ml, description, notes, created_time_ms, started_time_ms)
      VALUES (1, 1, 1, 'available', 5000, '', '', 0, 0);
    INSERT INTO taps (id, name, notes, sort_order) VALUES (1, 'Left', '', 0);`);
  tables = createTables();
});
afterEach(() => db.close());

const addSession = (startTimeMs: number) =>
  tables.sessions.add({ startTimeMs, endTimeMs: startTimeMs + hourMs, volumeMl: 0, timeZone: 'UTC' });

const addDrink = (sessionId: number, volumeMl: number, changes: Partial<NewDrink> = {}) =>
  tables.drinks.add({ ...newDrink, volumeMl, pourTimeMs: newYearMs, ...changes }, sessionId);

const wrongTotals = () =>
  tables.checks
    .unequal()
    .filter(({ what }) => /^(drinks|session) of/.test(what))
    .map(({ what }) => what);
const days = () =>
  db
    .prepare('SELECT local_day AS day, year, pours, volume_nl AS nl FROM drink_days ORDER BY local_day, year')
    .all();

test('a session over New Year counts to one day and two years, and moves with its start', () => {
  const session = addSession(newYearMs - hourMs);
  addDrink(session, 300, { pourTimeMs: newYearMs - 1 });
  addDrink(session, 500);
  const day = newYearMs / dayMs;
  expect(days()).toEqual([
    { day: day - 1, year: 2026, pours: 1, nl: 300e6 },
    { day: day - 1, year: 2027, pours: 1, nl: 500e6 },
  ]);
  tables.sessions.setSpan(session, {
    startTimeMs: newYearMs,
    endTimeMs: newYearMs + hourMs,
    volumeMl: 800,
  });
  expect(days()).toEqual([
    { day, year: 2026, pours: 1, nl: 300e6 },
    { day, year: 2027, pours: 1, nl: 500e6 },
  ]);
  expect(wrongTotals()).toEqual([]);
});

test('the first, last and largest drink are found again when they are removed', () => {
  const session = addSession(newYearMs);
  const ids = [300, 500, 500, 200].map((ml) => addDrink(session, ml));
  expect(tables.totals.read('site')).toMatchObject({ pours: 4, lastId: ids[3], largestId: ids[1] });
  tables.drinks.remove(ids[1]!);
  tables.drinks.remove(ids[3]!);
  expect(tables.totals.read('site')).toMatchObject({ pours: 2, lastId: ids[2], largestId: ids[2] });
  expect(tables.totals.read('keg', 1)).toEqual(tables.totals.read('site'));
  expect(wrongTotals()).toEqual([]);
  tables.drinks.remove(ids[0]!);
  tables.drinks.remove(ids[2]!);
  expect(tables.totals.read('site')).toBeNull();
  expect(days()).toEqual([]);
  expect(wrongTotals()).toEqual([]);
});

test('adding and removing volumes that have no exact binary form leaves no rounding error', () => {
  const session = addSession(newYearMs);
  const ids = Array.from({ length: 200 }, (_, i) => addDrink(session, 0.1 + i / 3));
  for (const id of ids.slice(1)) tables.drinks.remove(id);
  expect(tables.totals.read('session', session)).toMatchObject({ pours: 1, volumeNl: 100_000 });
});

test.each([
  [`UPDATE drink_totals SET pours = pours + 1 WHERE kind = 'user'`, ['drinks of user 0, pours']],
  [`UPDATE drink_totals SET volume_nl = 1 WHERE kind = 'keg'`, ['drinks of keg 1, volume_nl']],
  [`UPDATE drink_totals SET first_id = 2 WHERE kind = 'tap'`, ['drinks of tap 1, first_id']],
  [`UPDATE drink_totals SET last_id = 1 WHERE kind = 'session'`, ['drinks of session 1, last_id']],
  [`UPDATE drink_totals SET largest_id = 1 WHERE kind = 'site'`, ['drinks of site 0, largest_id']],
  [`UPDATE drink_totals SET largest_ml = 1 WHERE kind = 'site'`, ['drinks of site 0, largest_ml']],
  ['UPDATE drink_days SET pours = 3', [`drinks of day ${newYearMs / dayMs}/2027, pours`]],
  ['INSERT INTO drink_days VALUES (7, 2027, 0, 5)', ['drinks of day 7/2027, volume_nl']],
  ['DELETE FROM keg_sessions', ['session of keg 1/1, sessions']],
])('the check finds %s', (sql, expected) => {
  const session = addSession(newYearMs);
  addDrink(session, 300);
  addDrink(session, 500);
  expect(wrongTotals()).toEqual([]);
  db.exec(sql);
  expect(wrongTotals()).toEqual(expected);
});
