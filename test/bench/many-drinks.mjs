// Fills a database with years of drinks in a few statements; totals are computed once, not per row.
import Sqlite from 'better-sqlite3';

const perSession = 5;
const betweenMs = 90_000;
/** Between the starts of two sessions; a million drinks make nine and a half years. */
const apartMs = 1_500_000;
const timeoutMs = 10_800_000;
const firstMs = Date.UTC(2016, 0, 1, 18);
const dayMs = 86_400_000;
const filledTables = ['drinks', 'sessions', 'events', 'keg_sessions'];
/** Ids that share a row of `span_blocks` or `event_blocks`. */
const blocks = { drinks: 1_024, sessions: 256, events: 1_024 };
const never = Number.MAX_SAFE_INTEGER;

/**
 * Adds `count` drinks of 10 mL, spread over the existing kegs, taps and users, with their sessions and events.
 * @param {string} file a database created by the daemon, without drinks and not open
 * @param {number} count
 */
export function addDrinks(file, count) {
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('foreign_keys = OFF');
  db.pragma('cache_size = -200000');
  const triggers = db
    .prepare(
      `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN (${quoted(filledTables)})`,
    )
    .all();
  db.transaction(() => {
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    addRows(db, count);
    updateTotals(db);
    for (const { sql } of triggers) db.exec(sql);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

const quoted = (names) => names.map((name) => `'${name}'`).join(', ');

function addRows(db, count) {
  db.exec(`
    CREATE TEMP TABLE number AS
      WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ${count})
      SELECT i, i / ${perSession} AS session_no FROM number;
    CREATE TEMP TABLE source AS
      SELECT row_number() OVER (ORDER BY id) - 1 AS position, id AS tap_id, keg_id FROM taps WHERE keg_id IS NOT NULL;
    CREATE TEMP TABLE drinker AS SELECT row_number() OVER (ORDER BY id) - 1 AS position, id FROM users;

    INSERT INTO sessions (id, start_time_ms, end_time_ms, volume_ml, time_zone, local_day)
      SELECT session_no + 1, start, start + (count(*) - 1) * ${betweenMs} + ${timeoutMs}, count(*) * 10, 'UTC',
        start / ${dayMs}
      FROM (SELECT session_no, ${firstMs} + session_no * ${apartMs} AS start FROM number) GROUP BY session_no;

    INSERT INTO drinks (id, tap_id, keg_id, session_id, user_id, ticks, volume_ml, volume_given, pour_time_ms,
        time_certain, boot_id, end_mono_ms, duration_ms, is_valid, pour_id, meter, rejected_edges, recovered, source)
      SELECT n.i + 1, s.tap_id, s.keg_id, n.session_no + 1, d.id, 54, 10, 0,
        ${firstMs} + n.session_no * ${apartMs} + n.i % ${perSession} * ${betweenMs},
        1, 'bench', 0, 5000, 1, printf('bench-%08d', n.i), 'pi.flow0', 0, 0, 'pin'
      FROM number n
      CROSS JOIN source s ON s.position = n.i % (SELECT count(*) FROM source)
      LEFT JOIN drinker d ON d.position = (n.i + (n.i >> 5)) % max(1, (SELECT count(*) FROM drinker))
      ORDER BY n.i;

    INSERT INTO events (kind, time_ms, drink_id, keg_id, session_id, user_id)
      SELECT kind, pour_time_ms, id, iif(kind = 'drink_poured', keg_id, NULL), session_id, user_id
      FROM (SELECT 'session_started' AS kind UNION ALL SELECT 'drink_poured') CROSS JOIN drinks
      WHERE kind = 'drink_poured' OR id % ${perSession} = 1
      ORDER BY id, kind DESC;

    UPDATE kegs SET full_volume_ml = 10000000,
      served_volume_ml = (SELECT coalesce(sum(volume_ml), 0) FROM drinks WHERE keg_id = kegs.id);`);
}

/** Computes the totals that the triggers maintain per row. */
function updateTotals(db) {
  const countSql = (list, key, from) => `
    DELETE FROM list_counters WHERE list = '${list}';
    INSERT INTO list_counters SELECT '${list}', ${key}, count(*) FROM ${from} WHERE ${key} IS NOT NULL GROUP BY 2;`;
  const countEach = (table, names) =>
    names.map((key) => countSql(`${table} of ${key}`, column(key), table)).join('');
  const column = (key) => (key === 'kind' ? key : `${key}_id`);
  db.exec(`
    INSERT OR IGNORE INTO keg_sessions SELECT DISTINCT keg_id, session_id FROM drinks;
    ${countEach('drinks', ['user', 'keg', 'session', 'tap'])}
    ${countEach('events', ['user', 'keg', 'session', 'kind'])}
    ${countSql('sessions of keg', 'keg_id', 'keg_sessions')}
    ${countSql('sessions of day', 'local_day', 'sessions')}
    ${countSql('sessions', '0', 'sessions')}
    ${countSql('events', '0', 'events')}
    UPDATE list_counters_upto SET id = (SELECT max(id) FROM drinks) WHERE list = 'drinks';
    UPDATE list_counters_upto SET id = (SELECT max(id) FROM events) WHERE list = 'events';
    UPDATE counters SET value = (SELECT count(*) FROM drinks) WHERE name = 'drinks';
    DELETE FROM event_blocks;
    INSERT INTO event_blocks SELECT id / ${blocks.events}, count(*) FROM events
      WHERE id / ${blocks.events} < (SELECT max(id) / ${blocks.events} FROM events) GROUP BY 1;
    DELETE FROM span_blocks WHERE list IN ('drinks', 'sessions');
    DELETE FROM span_groups WHERE list IN ('drinks', 'sessions');
    INSERT INTO span_blocks SELECT 'drinks', id / ${blocks.drinks}, min(pour_time_ms), max(pour_time_ms), count(*)
      FROM drinks GROUP BY 2 ORDER BY 2;
    INSERT INTO span_blocks SELECT 'sessions', id / ${blocks.sessions}, min(start_time_ms), max(start_time_ms), count(*)
      FROM sessions GROUP BY 2 ORDER BY 2;
    -- The block of drinks being filled covers all times.
    UPDATE span_blocks SET first_ms = 0, last_ms = ${never}, items = 0
      WHERE list = 'drinks' AND block = (SELECT max(block) FROM span_blocks WHERE list = 'drinks');`);
}
