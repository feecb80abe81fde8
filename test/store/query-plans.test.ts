import { expect, test } from 'vitest';
import { beveragesTable } from '../../src/store/beverages-table.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { deviceCommandsTable } from '../../src/store/device-commands-table.ts';
import { deviceCursorsTable } from '../../src/store/device-cursors-table.ts';
import { devicesTable } from '../../src/store/devices-table.ts';
import { drinksTable } from '../../src/store/drinks-table.ts';
import { eventsTable } from '../../src/store/events-table.ts';
import { grantsTable } from '../../src/store/grants-table.ts';
import { controllersTable, metersTable, togglesTable } from '../../src/store/hardware-table.ts';
import { kegsTable } from '../../src/store/kegs-table.ts';
import { keysTable } from '../../src/store/keys-table.ts';
import { countersTable } from '../../src/store/ledger-sums.ts';
import { poursSetAsideTable } from '../../src/store/pours-set-aside-table.ts';
import { sessionsTable } from '../../src/store/sessions-table.ts';
import { siteTable } from '../../src/store/site-table.ts';
import { spillsTable } from '../../src/store/spills-table.ts';
import { stampsTable } from '../../src/store/stamps-table.ts';
import { tapsTable } from '../../src/store/taps-table.ts';
import { thermoTable } from '../../src/store/thermo-table.ts';
import { tokensSeenTable } from '../../src/store/tokens-seen-table.ts';
import { tokensTable } from '../../src/store/tokens-table.ts';
import { usersTable } from '../../src/store/users-table.ts';

/** As many rows as the bar has hardware: reading all of them is no trouble. */
const small = [
  'site',
  'taps',
  'controllers',
  'flow_meters',
  'flow_toggles',
  'thermo_sensors',
  'keg_sizes',
  'devices',
];

/** Every statement the tables prepare, with SQLite's plan for it. */
function plans(): { sql: string; steps: string[] }[] {
  const db = openDatabase(':memory:');
  const statements: string[] = [];
  const listening = new Proxy(db, {
    get(target, key) {
      if (key !== 'prepare') return Reflect.get(target, key);
      return (sql: string) => {
        statements.push(sql);
        return target.prepare(sql);
      };
    },
  }) as Database;
  for (const table of [
    siteTable,
    usersTable,
    keysTable,
    tokensTable,
    beveragesTable,
    kegsTable,
    tapsTable,
    controllersTable,
    metersTable,
    togglesTable,
    thermoTable,
    drinksTable,
    sessionsTable,
    eventsTable,
    spillsTable,
    stampsTable,
    countersTable,
    devicesTable,
    deviceCursorsTable,
    deviceCommandsTable,
    grantsTable,
    tokensSeenTable,
    poursSetAsideTable,
  ]) {
    table(listening);
  }
  const explained = statements.map((sql) => ({ sql, steps: explain(db, sql) }));
  db.close();
  return explained;
}

function explain(db: Database, sql: string): string[] {
  const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]));
  const places = [...sql.matchAll(/\?/g)].map(() => null);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...places, named) as { detail: string }[];
  return rows.map((row) => row.detail);
}

/** A walk over a whole table, unless it follows the wanted order and stops at the page's end. */
function readsAll({ sql, steps }: { sql: string; steps: string[] }): boolean {
  const aliases = new Map(
    [...sql.matchAll(/(?:FROM|JOIN) (\w+) (\w)\b/g)].map(([, table, alias]) => [alias, table]),
  );
  return steps.some((step) => {
    const name = /^SCAN (\w+)/.exec(step)?.[1];
    if (name === undefined || small.includes(aliases.get(name) ?? name)) return false;
    return !/LIMIT/.test(sql);
  });
}

test('no lookup reads a growing table to its end', () => {
  const all = plans();
  expect(all.length).toBeGreaterThan(80);
  expect(all.filter(readsAll)).toEqual([]);
});

test('no list is sorted before its page is cut', () => {
  const sorted = plans().filter(({ steps }) => steps.some((step) => step.includes('TEMP B-TREE')));
  expect(sorted).toEqual([]);
});
