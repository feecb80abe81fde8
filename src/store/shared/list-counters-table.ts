import type { Database } from '../database.ts';

/** Lists whose length triggers maintain; lists with a subject have one length for each subject. */
export type CountedList =
  | 'drinks of user'
  | 'drinks of keg'
  | 'drinks of session'
  | 'drinks of tap'
  | 'sessions of keg'
  | 'sessions'
  | 'sessions of day'
  | 'sessions of user'
  | 'events'
  | 'events of kind'
  | 'events of user'
  | 'events of keg'
  | 'events of session'
  | 'thermo logs'
  | 'thermo logs of sensor'
  | 'users'
  | 'auth tokens'
  | 'beverages'
  | 'producers';

/** Lists whose newest rows are added in batches: table, condition for counting, and the subject's column. */
const growing = {
  'drinks of user': ['drinks', 'is_valid', 'user_id'],
  'drinks of keg': ['drinks', 'is_valid', 'keg_id'],
  'drinks of session': ['drinks', 'is_valid', 'session_id'],
  'drinks of tap': ['drinks', 'is_valid', 'tap_id'],
  events: ['events', '1', '0'],
  'events of kind': ['events', '1', 'kind'],
  'events of user': ['events', '1', 'user_id'],
  'events of keg': ['events', '1', 'keg_id'],
  'events of session': ['events', '1', 'session_id'],
} as const satisfies Partial<
  Record<CountedList, readonly [table: 'drinks' | 'events', counts: string, subject: string]>
>;

/** SQL condition for rows that are not in the counters yet, a few dozen at most. */
export const notYetCounted = (table: 'drinks' | 'events'): string =>
  `id > (SELECT id FROM list_counters_upto WHERE list = '${table}')`;

/** Lengths of lists. Counting a million rows for every page would take seconds on a Pi. */
export function listCountersTable(db: Database) {
  const read = db
    .prepare<[string, number | string], number>(
      'SELECT value FROM list_counters WHERE list = ? AND subject = ?',
    )
    .pluck();
  // The unary plus keeps SQLite from using this column's index.
  const countNewest = ([table, counts, subject]: (typeof growing)[keyof typeof growing]) =>
    db
      .prepare<[number | string], number>(
        `SELECT count(*) FROM ${table} WHERE ${notYetCounted(table)} AND ${counts} AND +${subject} = ?`,
      )
      .pluck();
  const newest = new Map(Object.entries(growing).map(([list, plan]) => [list, countNewest(plan)]));
  return {
    read: (list: CountedList, subject: number | string = 0): number =>
      (read.get(list, subject) ?? 0) + (newest.get(list)?.get(subject) ?? 0),
  };
}

const counted = (list: CountedList, from: string, subject = '0') =>
  `SELECT '${list}' AS list, ${subject} AS subject, 0 AS stored, count(*) AS computed FROM ${from} GROUP BY 2`;

const countAll = (list: CountedList, table: string) => `SELECT '${list}', 0, 0, count(*) FROM ${table}`;

/** The rows that are added to the stored lengths when reading. */
const waiting = Object.entries(growing)
  .map(
    ([list, [table, counts, subject]]) => `UNION ALL SELECT '${list}', ${subject}, 1, 0 FROM ${table}
      WHERE ${notYetCounted(table)} AND ${counts} AND ${subject} IS NOT NULL`,
  )
  .join('\n');

/** Every stored length and the same length computed from the rows. */
export const listCounterChecks = `
  SELECT list || ' ' || subject AS what, sum(stored) AS stored, sum(computed) AS computed FROM (
    SELECT list, subject, value AS stored, 0 AS computed FROM list_counters
    ${waiting}
    UNION ALL ${counted('drinks of user', 'drinks WHERE is_valid AND user_id IS NOT NULL', 'user_id')}
    UNION ALL ${counted('drinks of keg', 'drinks WHERE is_valid AND keg_id IS NOT NULL', 'keg_id')}
    UNION ALL ${counted('drinks of session', 'drinks WHERE is_valid', 'session_id')}
    UNION ALL ${counted('drinks of tap', 'drinks WHERE is_valid AND tap_id IS NOT NULL', 'tap_id')}
    UNION ALL ${counted('sessions of keg', 'keg_sessions', 'keg_id')}
    UNION ALL ${countAll('sessions', 'sessions')}
    UNION ALL ${counted('sessions of day', 'sessions WHERE local_day IS NOT NULL', 'local_day')}
    UNION ALL ${counted('sessions of user', `drink_shares WHERE pair = 'us'`, 'subject')}
    UNION ALL ${countAll('events', 'events')}
    UNION ALL ${counted('events of kind', 'events', 'kind')}
    UNION ALL ${counted('events of user', 'events WHERE user_id IS NOT NULL', 'user_id')}
    UNION ALL ${counted('events of keg', 'events WHERE keg_id IS NOT NULL', 'keg_id')}
    UNION ALL ${counted('events of session', 'events WHERE session_id IS NOT NULL', 'session_id')}
    UNION ALL ${countAll('thermo logs', 'thermo_logs')}
    UNION ALL ${counted('thermo logs of sensor', 'thermo_logs', 'sensor_id')}
    UNION ALL ${countAll('users', 'users')}
    UNION ALL ${countAll('auth tokens', 'auth_tokens')}
    UNION ALL ${countAll('beverages', 'beverages')}
    UNION ALL ${countAll('producers', 'producers')}
  ) GROUP BY list, subject
  UNION ALL SELECT 'keg ' || keg_id || ' at session ' || session_id, sum(stored), sum(computed) FROM (
    SELECT keg_id, session_id, 1 AS stored, 0 AS computed FROM keg_sessions
    UNION ALL SELECT DISTINCT keg_id, session_id, 0, 1 FROM drinks WHERE keg_id IS NOT NULL AND session_id IS NOT NULL
  ) GROUP BY keg_id, session_id`;
