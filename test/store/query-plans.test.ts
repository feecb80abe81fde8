import { expect, test } from 'vitest';
import { extensions } from '../../src/extensions/all.ts';
import { grantTapsTable } from '../../src/store/access/grant-taps-table.ts';
import { grantsTable } from '../../src/store/access/grants-table.ts';
import { presentedTokensTable } from '../../src/store/access/presented-tokens-table.ts';
import { tokensTable } from '../../src/store/access/tokens-table.ts';
import { clockTimes } from '../../src/store/clock-times.ts';
import { controllersTable } from '../../src/store/controllers/controllers-table.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { correctionsTable } from '../../src/store/drinks/corrections-table.ts';
import { drinkTotalsTable } from '../../src/store/drinks/drink-totals-table.ts';
import { drinksTable } from '../../src/store/drinks/drinks-table.ts';
import { eventsTable } from '../../src/store/drinks/events-table.ts';
import { sessionsTable } from '../../src/store/drinks/sessions/sessions-table.ts';
import { spillsTable } from '../../src/store/drinks/spills-table.ts';
import { beveragesTable } from '../../src/store/kegs/beverages-table.ts';
import { kegWeighingsTable } from '../../src/store/kegs/keg-weighings-table.ts';
import { kegsTable } from '../../src/store/kegs/kegs-table.ts';
import { producersTable } from '../../src/store/kegs/producers-table.ts';
import { auditTable } from '../../src/store/reports/audit-table.ts';
import { flowTable } from '../../src/store/reports/flow-table.ts';
import { slotTotals } from '../../src/store/reports/statistics-table.ts';
import { schemaStepsWith } from '../../src/store/schema/migrations.ts';
import { createCaches } from '../../src/store/shared/caches.ts';
import { provisionalTimesTable } from '../../src/store/shared/provisional-times-table.ts';
import { latestRows, newestRows } from '../../src/store/shared/slice.ts';
import { siteTable } from '../../src/store/site/site-table.ts';
import { metersTable } from '../../src/store/taps/meters-table.ts';
import { tapFlowTable } from '../../src/store/taps/tap-flow-table.ts';
import { tapsTable } from '../../src/store/taps/taps-table.ts';
import { togglesTable } from '../../src/store/taps/toggles-table.ts';
import { thermoTable } from '../../src/store/temperatures/thermo-table.ts';
import { keysTable } from '../../src/store/users/keys-table.ts';
import { usersTable } from '../../src/store/users/users-table.ts';
import { extensionCases } from '../kit/extension-cases.ts';

/** Tables with as many rows as the bar has hardware, which may be scanned. */
const small = [
  'site',
  'taps',
  'controllers',
  'flow_meters',
  'flow_toggles',
  'thermo_sensors',
  'keg_sizes',
  ...extensionCases.flatMap(({ smallTables = [] }) => smallTables),
  // The columns of a table.
  'pragma_table_info',
];

/** All statements that the tables prepare, with SQLite's query plans. */
function plans(): { sql: string; steps: string[] }[] {
  const db = openDatabase(':memory:', { steps: schemaStepsWith(extensions) });
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
    usersTable,
    keysTable,
    tokensTable,
    producersTable,
    kegsTable,
    kegWeighingsTable,
    controllersTable,
    togglesTable,
    thermoTable,
    tapFlowTable,
    eventsTable,
    spillsTable,
    grantTapsTable,
    grantsTable,
    presentedTokensTable,
    auditTable,
    correctionsTable,
  ]) {
    table(recordingDb);
  }
  provisionalTimesTable(recordingDb, clockTimes);
  const caches = createCaches(recordingDb);
  for (const table of [siteTable, beveragesTable, tapsTable, metersTable]) table(recordingDb, caches);
  for (const { name, tables } of extensions)
    if (extensionCases.some((one) => one.name === name && one.smallTables !== undefined))
      tables?.(recordingDb, caches);
  const totals = drinkTotalsTable(recordingDb);
  for (const table of [drinksTable, sessionsTable]) table(recordingDb, totals);
  queryAllLists(recordingDb);
  const explained = statements.map((sql) => ({ sql, steps: explain(db, sql) }));
  db.close();
  return explained;
}

const times = { sinceMs: 1_000, untilMs: 2_000 };
const timeRows = { time: { ...times, firstId: 1, lastId: 100, total: 100 } };
const values = {
  session_id: 1,
  keg_id: 1,
  user_id: 1,
  tap_id: 1,
  is_valid: 1,
  kind: 'keg_tapped',
  claimed_username_key: 'zoe',
  auth_token: 'core.rfid|1',
};
const nobody = { user_id: null };

/** All filters of the long lists in use; their statements are prepared at first use. */
function queryAllLists(db: Database): void {
  const totals = drinkTotalsTable(db);
  const drinks = drinksTable(db, totals);
  const events = eventsTable(db);
  const sessions = sessionsTable(db, totals);
  const thermo = thermoTable(db);
  const audit = auditTable(db);
  const slices = [newestRows(10), { from: { id: 1 }, upwards: true, limit: 10 }];
  const timedSlices = [...slices, latestRows(10), { from: { id: 1, timeMs: 1 }, upwards: true, limit: 10 }];
  for (const seek of [
    {},
    { user_id: 1 },
    { action: 'drink.split' },
    { subject_kind: 'drink', subject_id: '1' },
  ]) {
    for (const time of [{}, timeRows]) {
      for (const slice of slices) audit.page({ seek, ...time }, slice);
      audit.count({ seek, ...time });
    }
  }
  const pick = (...columns: (keyof typeof values)[]) =>
    Object.fromEntries(columns.map((column) => [column, values[column]]));
  for (const time of [{}, timeRows]) {
    for (const filter of [
      { seek: pick('is_valid') },
      { seek: pick('session_id'), scan: pick('keg_id', 'user_id', 'tap_id', 'is_valid') },
      { seek: pick('keg_id'), scan: pick('user_id', 'tap_id', 'is_valid') },
      { seek: pick('user_id', 'is_valid'), scan: pick('tap_id') },
      { seek: pick('tap_id', 'is_valid') },
      { seek: pick('keg_id'), scan: { ...nobody, ...pick('tap_id', 'is_valid') } },
      { seek: pick('claimed_username_key', 'is_valid'), scan: pick('user_id', 'tap_id') },
      { seek: pick('claimed_username_key', 'is_valid'), scan: nobody },
      {
        seek: { ...pick('auth_token', 'is_valid'), ...nobody },
        scan: pick('claimed_username_key', 'tap_id'),
      },
      { seek: { ...pick('is_valid'), ...nobody }, scan: pick('tap_id') },
    ]) {
      for (const slice of timedSlices) drinks.filteredPage({ ...filter, ...time }, slice);
      drinks.count({ ...filter, ...time });
    }
    for (const slice of timedSlices) sessions.page(time, slice);
    for (const seek of [{}, { sensor_id: 1 }]) {
      for (const slice of slices) thermo.page({ seek, ...time }, slice);
    }
  }
  for (const column of [undefined, 'session_id', 'keg_id', 'user_id', 'kind'] as const) {
    for (const since of [{}, { aboveId: 5 }]) {
      for (const slice of timedSlices) events.page({ seek: column ? pick(column) : {}, ...since }, slice);
      events.count({ seek: column ? pick(column) : {}, ...since });
    }
    events.countBy(column ? pick(column) : {});
  }
  drinks.countBy({ seek: pick('claimed_username_key', 'is_valid') });
  drinks.countBy({ seek: pick('claimed_username_key', 'is_valid'), scan: nobody });
  drinks.countBy({ seek: { ...pick('auth_token', 'is_valid'), ...nobody } });
  drinks.between(times, true);
  sessions.between(times);
  audit.between(times);
  thermo.between(times);
  thermo.between(times, 1);
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
    // Parts of one drink or spill; those that have any, a few a year; the rows that a view has found.
    if (/VIRTUAL TABLE|_of_several_kegs|^SCAN keg_(?:drinks|spills)$/.test(step)) return false;
    const view = /^CO-ROUTINE keg_(?:drinks|spills)$/;
    if (/^SCAN [ds]$/.test(step) && steps.some((one) => view.test(one))) return false;
    const name = /^SCAN (\w+)/.exec(step)?.[1];
    if (name === undefined || name === 'CONSTANT' || small.includes(aliases.get(name) ?? name)) return false;
    return !/LIMIT/.test(sql);
  });
}

/** The index that each filter must use, in the order of the page. */
const indexes: readonly (readonly [condition: RegExp, index: RegExp])[] = [
  [/ d\.session_id = @/, /USING (COVERING )?INDEX drinks_in_session \(session_id=\?/],
  [/ d\.user_id = @/, /USING (COVERING )?INDEX drinks_by_user \(user_id=\? AND is_valid=\?/],
  [
    / d\.claimed_username_key = @/,
    /USING (COVERING )?INDEX drinks_by_claim \(claimed_username_key=\? AND is_valid=\?/,
  ],
  [/ d\.auth_token = @/, /USING (COVERING )?INDEX drinks_by_token \(auth_token=\? AND is_valid=\?/],
  [
    /(BETWEEN @first AND @from|is_valid = @is_valid) AND d\.user_id IS NULL/,
    /USING (COVERING )?INDEX drinks_(unattributed \(is_valid=\?|by_token)/,
  ],
  [/ d\.tap_id = @/, /USING (COVERING )?INDEX drinks_by_tap \(tap_id=\? AND is_valid=\?/],
  [/ e\.session_id = @/, /USING (COVERING )?INDEX events_by_session \(session_id=\? AND rowid/],
  [/ e\.keg_id = @/, /USING (COVERING )?INDEX events_by_keg \(keg_id=\? AND rowid/],
  [/ e\.user_id = @/, /USING (COVERING )?INDEX events_by_user \(user_id=\? AND id/],
  [/ e\.kind = @/, /USING (COVERING )?INDEX events_by_kind \(kind=\? AND rowid/],
  [/ a\.user_id = @/, /USING (COVERING )?INDEX audit_by_user \(user_id=\? AND rowid/],
  [/ a\.action = @/, /USING (COVERING )?INDEX audit_by_action \(action=\? AND rowid/],
  [
    / a\.subject_id = @/,
    /USING (COVERING )?INDEX audit_by_subject \(subject_kind=\? AND subject_id=\? AND rowid/,
  ],
  [/ l\.sensor_id = @/, /USING (COVERING )?INDEX thermo_logs_by_sensor \(sensor_id=\? AND rowid/],
];

test('pours of several evenings are compared by the index on the time', () => {
  const db = openDatabase(':memory:');
  let sql = '';
  flowTable(
    new Proxy(db, {
      get: (target, key) =>
        key === 'prepare'
          ? (text: string) => {
              if (text.includes('json_each')) sql = text;
              return target.prepare(text);
            }
          : Reflect.get(target, key),
    }) as Database,
  );
  expect(explain(db, sql).filter((step) => /drinks|\bd\b/.test(step))).toEqual([
    'SEARCH d USING INDEX drinks_by_time (pour_time_ms>? AND pour_time_ms<?)',
  ]);
  db.close();
});

test('the volumes of the last days are summed up from an index alone', () => {
  const db = openDatabase(':memory:');
  expect(explain(db, slotTotals)[0]).toBe(
    'SEARCH d USING COVERING INDEX drinks_by_time (pour_time_ms>? AND pour_time_ms<?)',
  );
  db.close();
});

test('every filter of a long list uses its own index from the first id of the page', () => {
  const pages = plans().filter(
    ({ sql }) => /ORDER BY/.test(sql) && /LIMIT @limit/.test(sql) && !isByTime(sql),
  );
  for (const [condition, index] of indexes) {
    const filtered = pages.filter(({ sql }) => condition.test(sql));
    expect(filtered.length, String(condition)).toBeGreaterThan(1);
    for (const { sql, steps } of filtered) {
      expect(
        steps.some((step) => index.test(step) && /\b(row)?id[<>]/.test(step)),
        `${sql}\n${steps.join('\n')}`,
      ).toBe(true);
    }
  }
});

test('the drinks of a keg are found by its index, and among the few of several kegs', () => {
  const lists = plans().filter(({ sql }) => /d\.id IN \(SELECT id FROM drinks WHERE keg_id = @/.test(sql));
  expect(lists.length).toBeGreaterThan(3);
  for (const { sql, steps } of lists) {
    expect(steps, sql).toContain('SEARCH drinks USING COVERING INDEX drinks_by_keg (keg_id=?)');
    expect(steps.some((step) => step.includes('drinks_of_several_kegs'))).toBe(true);
  }
});

const isByTime = (sql: string): boolean => sql.includes('BETWEEN @firstMs');

test('lists in the order of time walk an index of the time, or sort what the index of one subject finds', () => {
  const steps = (sql: string, steps: readonly string[]) =>
    `${/[<>]= \(@timeMs/.exec(sql)?.[0][0] === '<' ? 'down' : 'up'}: ${steps[0] === 'CO-ROUTINE p' ? `sorted ${steps[1]}` : steps[0]}`;
  const used = plans()
    .filter(({ sql }) => isByTime(sql))
    .map((plan) => steps(plan.sql, plan.steps));
  const walked = [
    'drinks_by_time (pour_time_ms>? AND pour_time_ms<?)',
    'drinks_by_tap_and_time (tap_id=? AND is_valid=? AND pour_time_ms>? AND pour_time_ms<?)',
    'sessions_by_start (start_time_ms>? AND start_time_ms<?)',
    'events_by_time (time_ms>? AND time_ms<?)',
    'events_by_kind_and_time (kind=? AND time_ms>? AND time_ms<?)',
  ];
  const sorted = [
    'drinks_in_session (session_id=?)',
    // The ids of a keg's drinks, whose index another test requires.
    'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
    'drinks_by_user (user_id=? AND is_valid=?)',
    'drinks_by_claim (claimed_username_key=? AND is_valid=?)',
    'drinks_by_token (auth_token=? AND is_valid=?)',
    'drinks_unattributed (is_valid=?)',
    'events_by_session (session_id=?)',
    'events_by_keg (keg_id=?)',
    'events_by_user (user_id=?)',
  ];
  const found = (index: string) => used.some((step) => step.includes(index));
  expect([...walked, ...sorted].filter((index) => !found(index))).toEqual([]);
  for (const step of used) {
    const isSorted = step.includes('sorted');
    expect(
      (isSorted ? sorted : walked).some((index) => step.includes(index)),
      step,
    ).toBe(true);
  }
});

test('the rows between two times are found in an index of the time alone', () => {
  const between = plans().filter(({ sql }) => /^SELECT (count|min)\(.*WHERE \w+_ms >= @sinceMs/.test(sql));
  const steps = between.map(({ steps }) => steps.find((step) => /^SEARCH/.test(step)));
  expect([...new Set(steps)].sort()).toEqual([
    'SEARCH audit_entries USING COVERING INDEX audit_by_time (time_ms>? AND time_ms<?)',
    'SEARCH drinks USING COVERING INDEX drinks_by_time (pour_time_ms>? AND pour_time_ms<?)',
    'SEARCH sessions USING COVERING INDEX sessions_by_start (start_time_ms>? AND start_time_ms<?)',
    'SEARCH thermo_logs USING COVERING INDEX sqlite_autoindex_thermo_logs_1 (sensor_id=? AND time_ms>? AND time_ms<?)',
    'SEARCH thermo_logs USING COVERING INDEX thermo_logs_by_time (time_ms>? AND time_ms<?)',
  ]);
});

test('a list filtered by time reads only ids between the first and the last row of the time span', () => {
  const timed = plans().filter(({ sql }) => /BETWEEN @first.*@sinceMs/.test(sql));
  expect(timed.length).toBeGreaterThan(10);
  for (const { sql, steps } of timed) {
    expect(
      steps.some((step) => /SEARCH [adlx] USING .*\b(row)?id>\? AND (row)?id<\?/.test(step)),
      `${sql}\n${steps.join('\n')}`,
    ).toBe(true);
  }
});

test('events are counted by an index', () => {
  const counts = plans().filter(({ sql }) => /^SELECT count\(\*\) FROM events/.test(sql));
  expect(counts.length).toBeGreaterThan(5);
  for (const { sql, steps } of counts.filter(({ sql }) => !sql.includes('id > ?'))) {
    expect(steps.join(), sql).toContain('USING COVERING INDEX');
  }
});

test('no query scans a growing table', () => {
  const all = plans();
  expect(all.length).toBeGreaterThan(80);
  // A search for a part of a name scans all names, a list is counted by an index, and the session directory counts all
  // sessions by day.
  const isSearch = (sql: string) =>
    (/FROM (users|auth_tokens)/.test(sql) && sql.includes('@search')) || sql.includes('sessions_by_day');
  const isCount = ({ sql, steps }: { sql: string; steps: string[] }) =>
    /^SELECT count\(\*\) FROM/.test(sql) && steps.every((step) => / USING COVERING INDEX /.test(step));
  expect(all.filter((one) => !isSearch(one.sql) && !isCount(one)).filter(isFullScan)).toEqual([]);
});

test('no list is sorted before its page is read', () => {
  // Totals sort the drinks of one subject, and the latest pours are sorted among 200 drinks.
  // In the order of time, the ids of one subject and then the rows of the page are sorted.
  // What was poured is added up; the tokens with one value or its end are few.
  const isSum = (sql: string) =>
    /total\(|FROM keg_(?:drinks d|spills s) LEFT|FROM serving|json_each\(@ends\)|UNION SELECT token_id FROM token_forms|ORDER BY l\.time_ms/.test(
      sql,
    );
  const lists = plans().filter(
    ({ sql }) =>
      !/drink_totals|AS nl|LIMIT 200\) d|@limit\) p/.test(sql) &&
      !isSum(sql) &&
      !extensionCases.some(({ sortedQueries }) => sortedQueries?.test(sql)),
  );
  const sorted = lists.filter(({ steps }) => steps.some((step) => step.includes('TEMP B-TREE')));
  expect(sorted).toEqual([]);
});

test('the drinks of a name or token sent with pours are counted by its index', () => {
  const counts = plans().filter(({ sql }) => /^SELECT count\(\*\) FROM drinks d WHERE 1/.test(sql));
  expect(counts.map(({ steps }) => /INDEX drinks_by_\w+/.exec(steps.join())?.[0])).toEqual([
    'INDEX drinks_by_claim',
    'INDEX drinks_by_claim',
    'INDEX drinks_by_token',
  ]);
  for (const { sql, steps } of counts) expect(steps.join(), sql).toContain('COVERING');
});

test('held drinks are found without a scan of all drinks', () => {
  const held = plans().filter(({ sql }) => sql.includes('d.is_valid <> 1'));
  expect(held.length).toBeGreaterThan(0);
  for (const { steps } of held) {
    expect(steps.join()).toMatch(
      /USING (COVERING )?INDEX drinks_(held|by_\w+|in_session) \(|USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/,
    );
  }
});
