import { expect, test } from 'vitest';
import { grantTapsTable } from '../../src/store/access/grant-taps-table.ts';
import { grantsTable } from '../../src/store/access/grants-table.ts';
import { presentedTokensTable } from '../../src/store/access/presented-tokens-table.ts';
import { tokensTable } from '../../src/store/access/tokens-table.ts';
import { kegboardCommandsTable } from '../../src/store/controllers/kegboard-commands-table.ts';
import { kegboardCursorsTable } from '../../src/store/controllers/kegboard-cursors-table.ts';
import { kegboardsTable } from '../../src/store/controllers/kegboards-table.ts';
import { refusedPoursTable } from '../../src/store/controllers/refused-pours-table.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { correctionsTable } from '../../src/store/drinks/corrections-table.ts';
import { drinksTable } from '../../src/store/drinks/drinks-table.ts';
import { eventsTable } from '../../src/store/drinks/events-table.ts';
import { provisionalTimesTable } from '../../src/store/drinks/provisional-times-table.ts';
import { sessionsTable } from '../../src/store/drinks/sessions-table.ts';
import { spillsTable } from '../../src/store/drinks/spills-table.ts';
import { beveragesTable } from '../../src/store/kegs/beverages-table.ts';
import { kegsTable } from '../../src/store/kegs/kegs-table.ts';
import { producersTable } from '../../src/store/kegs/producers-table.ts';
import { auditTable } from '../../src/store/reports/audit-table.ts';
import { listCountersTable } from '../../src/store/shared/list-counters-table.ts';
import { siteTable } from '../../src/store/site/site-table.ts';
import { countersTable } from '../../src/store/site/stored-totals.ts';
import { controllersTable, metersTable, togglesTable } from '../../src/store/taps/hardware-table.ts';
import { tapsTable } from '../../src/store/taps/taps-table.ts';
import { thermoTable } from '../../src/store/temperatures/thermo-table.ts';
import { keysTable } from '../../src/store/users/keys-table.ts';
import { usersTable } from '../../src/store/users/users-table.ts';

/** Tables with as many rows as the bar has hardware, which may be scanned. */
const small = [
  'site',
  'taps',
  'controllers',
  'flow_meters',
  'flow_toggles',
  'thermo_sensors',
  'keg_sizes',
  'kegboards',
  // The columns of a table.
  'pragma_table_info',
];

/** All statements that the tables prepare, with SQLite's query plans. */
function plans(): { sql: string; steps: string[] }[] {
  const db = openDatabase(':memory:');
  const statements: string[] = [];
  const recordingDb = new Proxy(db, {
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
    producersTable,
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
    provisionalTimesTable,
    countersTable,
    kegboardsTable,
    kegboardCursorsTable,
    kegboardCommandsTable,
    grantTapsTable,
    grantsTable,
    presentedTokensTable,
    refusedPoursTable,
    listCountersTable,
    auditTable,
    correctionsTable,
  ]) {
    table(recordingDb);
  }
  queryAllLists(recordingDb);
  const explained = statements.map((sql) => ({ sql, steps: explain(db, sql) }));
  db.close();
  return explained;
}

const times = { sinceMs: 1_000, untilMs: 2_000 };
const values = { session_id: 1, keg_id: 1, user_id: 1, tap_id: 1, is_valid: 1, kind: 'keg_tapped' };

/** All filters of the long lists in use; their statements are prepared at first use. */
function queryAllLists(db: Database): void {
  const drinks = drinksTable(db);
  const events = eventsTable(db);
  const sessions = sessionsTable(db);
  const thermo = thermoTable(db);
  const audit = auditTable(db);
  for (const seek of [
    {},
    { user_id: 1 },
    { action: 'drink.split' },
    { subject_kind: 'drink', subject_id: '1' },
  ]) {
    for (const time of [{}, times]) {
      audit.page({ seek, ...time }, 1_000, 10);
      audit.count({ seek, ...time });
    }
  }
  const pick = (...columns: (keyof typeof values)[]) =>
    Object.fromEntries(columns.map((column) => [column, values[column]]));
  for (const time of [{}, times]) {
    for (const filter of [
      { seek: pick('is_valid') },
      { seek: pick('session_id'), scan: pick('keg_id', 'user_id', 'tap_id', 'is_valid') },
      { seek: pick('keg_id'), scan: pick('user_id', 'tap_id', 'is_valid') },
      { seek: pick('user_id', 'is_valid'), scan: pick('tap_id') },
      { seek: pick('tap_id', 'is_valid') },
    ]) {
      drinks.filteredPage({ ...filter, ...time }, 100, 10);
      drinks.count({ ...filter, ...time });
    }
    sessions.page(time, 100, 10);
    for (const seek of [{}, { sensor_id: 1 }]) {
      thermo.page({ seek, ...time }, 100, 10);
      thermo.count({ seek, ...time });
    }
  }
  for (const column of [undefined, 'session_id', 'keg_id', 'user_id', 'kind'] as const) {
    for (const since of [{}, { aboveId: 5 }]) {
      events.page({ seek: column ? pick(column) : {}, ...since }, 100, 10);
      events.count({ seek: column ? pick(column) : {}, ...since });
    }
  }
  drinks.countBetween({ ...times, scan: pick('is_valid') });
  sessions.countBetween(times);
  thermo.countBetween(times);
}

function explain(db: Database, sql: string): string[] {
  const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, null]));
  const positional = [...sql.matchAll(/\?/g)].map(() => null);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...positional, named) as { detail: string }[];
  return rows.map((row) => row.detail);
}

/** True for a full table scan, unless it follows the order of the page and stops at its end. */
function isFullScan({ sql, steps }: { sql: string; steps: string[] }): boolean {
  const aliases = new Map(
    [...sql.matchAll(/(?:FROM|JOIN) (\w+) (\w)\b/g)].map(([, table, alias]) => [alias, table]),
  );
  return steps.some((step) => {
    const name = /^SCAN (\w+)/.exec(step)?.[1];
    if (name === undefined || name === 'CONSTANT' || small.includes(aliases.get(name) ?? name)) return false;
    return !/LIMIT/.test(sql);
  });
}

/** The index that each filter must use, in the order of the page. */
const indexes: readonly (readonly [condition: RegExp, index: RegExp])[] = [
  [/ d\.session_id = @/, /USING (COVERING )?INDEX drinks_in_session \(session_id=\?/],
  [/ d\.keg_id = @/, /USING (COVERING )?INDEX drinks_by_keg \(keg_id=\?/],
  [/ d\.user_id = @/, /USING (COVERING )?INDEX drinks_by_user \(user_id=\? AND is_valid=\?/],
  [/ d\.tap_id = @/, /USING (COVERING )?INDEX drinks_by_tap \(tap_id=\? AND is_valid=\?/],
  [/ e\.session_id = @/, /USING (COVERING )?INDEX events_by_session \(session_id=\? AND rowid/],
  [/ e\.keg_id = @/, /USING (COVERING )?INDEX events_by_keg \(keg_id=\? AND rowid/],
  [/ e\.user_id = @/, /USING (COVERING )?INDEX events_by_user \(user_id=\? AND rowid/],
  [/ e\.kind = @/, /USING (COVERING )?INDEX events_by_kind \(kind=\? AND rowid/],
  [/ a\.user_id = @/, /USING (COVERING )?INDEX audit_by_user \(user_id=\? AND rowid/],
  [/ a\.action = @/, /USING (COVERING )?INDEX audit_by_action \(action=\? AND rowid/],
  [
    / a\.subject_id = @/,
    /USING (COVERING )?INDEX audit_by_subject \(subject_kind=\? AND subject_id=\? AND rowid/,
  ],
  [/ l\.sensor_id = @/, /USING (COVERING )?INDEX thermo_logs_by_sensor \(sensor_id=\? AND rowid/],
];

test('every filter of a long list uses its own index from the first id of the page', () => {
  const pages = plans().filter(({ sql }) => /ORDER BY/.test(sql) && /LIMIT @limit/.test(sql));
  for (const [condition, index] of indexes) {
    const filtered = pages.filter(({ sql }) => condition.test(sql));
    expect(filtered.length, String(condition)).toBeGreaterThan(1);
    for (const { sql, steps } of filtered) {
      expect(
        steps.some((step) => index.test(step) && /rowid[<>]/.test(step)),
        `${sql}\n${steps.join('\n')}`,
      ).toBe(true);
    }
  }
});

test('a list filtered by time reads its blocks, and only the rows of blocks that overlap the time span', () => {
  const timed = plans().filter(
    ({ sql }) => /CROSS JOIN span_blocks s CROSS JOIN/.test(sql) && /LIMIT @limit/.test(sql),
  );
  expect(timed.length).toBeGreaterThan(10);
  for (const { steps } of timed) {
    expect(steps.find((step) => / g /.test(step))).toMatch(
      /SEARCH g USING PRIMARY KEY \(list=\?( AND grp<\?)?\)/,
    );
    expect(steps.find((step) => / s /.test(step))).toContain(
      'SEARCH s USING PRIMARY KEY (list=? AND block>? AND block<?)',
    );
    expect(steps.some((step) => /SEARCH [adlx] USING .*rowid>\? AND rowid<\?/.test(step))).toBe(true);
  }
});

test('no query scans a growing table', () => {
  const all = plans();
  expect(all.length).toBeGreaterThan(80);
  // A search for a part of a name scans all names.
  const isSearch = (sql: string) => /FROM users/.test(sql) && sql.includes('@search');
  expect(all.filter(({ sql }) => !isSearch(sql)).filter(isFullScan)).toEqual([]);
});

test('no list is sorted before its page is read', () => {
  const sorted = plans().filter(({ steps }) => steps.some((step) => step.includes('TEMP B-TREE')));
  expect(sorted).toEqual([]);
});

test('held drinks are found without a scan of all drinks', () => {
  const held = plans().filter(({ sql }) => sql.includes('d.is_valid <> 1'));
  expect(held.length).toBeGreaterThan(0);
  for (const { steps } of held) {
    expect(steps.join()).toMatch(/USING INDEX drinks_(held|by_\w+|in_session) \(.*|rowid>\? AND rowid<\?/);
  }
});
