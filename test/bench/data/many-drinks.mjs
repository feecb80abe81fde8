// Fills a database with years of drinks in a few statements; totals are computed once, not per row.
import Sqlite from 'better-sqlite3';
import {
  computedDrinkDays,
  computedDrinkTotals,
  computedKegSessions,
} from '../../../dist/store/drinks/drink-totals-checks.js';

const betweenMs = 90_000;
/** Between two drinks on average; a million drinks make nine and a half years. */
const perDrinkMs = 300_000;
const timeoutMs = 10_800_000;
const usualFirstMs = Date.UTC(2016, 0, 1, 18);
const dayMs = 86_400_000;
const filledTables = ['drinks', 'sessions', 'events'];

/** Few sessions, kegs and users have many drinks each, or as in a bar. */
export const shapes = {
  /** All drinks from the kegs on tap, by users in equal shares. */
  even: { perSession: 5, perKeg: null, anonymousPercent: 0, isSkewed: false },
  /** Half of the drinks without a user; some users drink much more than the others. */
  bar: { perSession: 100, perKeg: 150, anonymousPercent: 50, isSkewed: true },
};

/**
 * Adds `count` drinks of 10 mL, spread over the existing taps and users, with their kegs, sessions and events; with `untilMs`
 * the last ones end before that time, and with `volumeMl`, an expression of the drink's number `n.i`, they differ.
 * @param {string} file a database created by the daemon, without drinks and not open
 * @param {number} count
 */
export function addDrinks(file, count, shape = shapes.even) {
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
    addRows(db, count, shape);
    updateTotals(db);
    for (const { sql } of triggers) db.exec(sql);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

const quoted = (names) => names.map((name) => `'${name}'`).join(', ');

function addRows(db, count, { perSession, perKeg, anonymousPercent, isSkewed, untilMs, volumeMl = '10' }) {
  const apartMs = perSession * perDrinkMs;
  const firstMs = untilMs === undefined ? usualFirstMs : untilMs - Math.ceil(count / perSession) * apartMs;
  // A multiplicative hash of the drink's number, 0 to 999.
  const random = '(n.i * 2654435761 % 1000003 % 1000)';
  const userPosition = isSkewed
    ? `CAST((SELECT count(*) FROM drinker) * pow(${random} / 1000.0, 3) AS INTEGER)`
    : '(n.i + (n.i >> 5)) % max(1, (SELECT count(*) FROM drinker))';
  db.exec(`
    CREATE TEMP TABLE number AS
      WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ${count})
      SELECT i, i / ${perSession} AS session_no FROM number;
    CREATE TEMP TABLE source AS
      SELECT row_number() OVER (ORDER BY tap_id) - 1 AS position, tap_id, keg_id FROM tap_kegs;
    CREATE TEMP TABLE drinker AS SELECT row_number() OVER (ORDER BY id) - 1 AS position, id FROM users;
    ${perKeg === null ? '' : addKegs(perKeg, firstMs)}

    INSERT INTO sessions (id, start_time_ms, end_time_ms, volume_ml, time_zone, local_day)
      SELECT session_no + 1, start, start + (count(*) - 1) * ${betweenMs} + ${timeoutMs}, count(*) * 10, 'UTC',
        start / ${dayMs}
      FROM (SELECT session_no, ${firstMs} + session_no * ${apartMs} AS start FROM number) GROUP BY session_no;

    INSERT INTO drinks (id, tap_id, keg_id, session_id, user_id, ticks, volume_ml, volume_given, pour_time_ms,
        time_certain, boot_id, end_mono_ms, duration_ms, rise_hz, flow_ms, is_valid, pour_id, meter, rejected_edges, recovered, flow_while_shut,
        source)
      SELECT n.i + 1, s.tap_id, ${perKeg === null ? 's.keg_id' : `(SELECT max(id) FROM kegs) - n.i / ${perKeg}`},
        n.session_no + 1, d.id, 54, ${volumeMl}, 0,
        ${firstMs} + n.session_no * ${apartMs} + n.i % ${perSession} * ${betweenMs},
        1, 'bench', 0, 5000, 10.8, 5000, 1, printf('bench-%08d', n.i), 'pi.flow0', 0, 0, 0, 'pin'
      FROM number n
      CROSS JOIN source s ON s.position = n.i % (SELECT count(*) FROM source)
      LEFT JOIN drinker d ON d.position = ${userPosition} AND (n.i * 40503 >> 4) % 100 >= ${anonymousPercent}
      ORDER BY n.i;

    INSERT INTO events (kind, time_ms, drink_id, keg_id, session_id, user_id)
      SELECT kind, pour_time_ms, id, iif(kind = 'drink_poured', keg_id, NULL), session_id, user_id
      FROM (SELECT 'session_started' AS kind UNION ALL SELECT 'drink_poured') CROSS JOIN drinks
      WHERE kind = 'drink_poured' OR id % ${perSession} = 1
      ORDER BY id, kind DESC;

    UPDATE sessions SET volume_ml = (SELECT total(volume_ml) FROM drinks WHERE session_id = sessions.id);
    UPDATE kegs SET full_volume_ml = 10000000;`);
}

/** Finished kegs, enough for all drinks. */
const addKegs = (perKeg, firstMs) => `
  INSERT INTO kegs (beverage_id, size_id, state, full_volume_ml, description, notes, created_time_ms, started_time_ms,
      finished_time_ms)
    SELECT (SELECT min(id) FROM beverages), 1, 'finished', 50000, '', '', ${firstMs}, ${firstMs}, ${firstMs}
    FROM number WHERE i % ${perKeg} = 0;`;

/** Computes the totals that are otherwise written with every drink. */
function updateTotals(db) {
  db.exec(`
    INSERT INTO keg_sessions ${computedKegSessions};
    INSERT INTO drink_totals ${computedDrinkTotals};
    INSERT INTO drink_days ${computedDrinkDays};`);
}
