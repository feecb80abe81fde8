// Fills a database with temperatures in one statement; totals are computed once, not per row.
import Sqlite from 'better-sqlite3';

const sensors = 6;
const minuteMs = 60_000;
const blockSize = 512;

/**
 * Adds `count` temperatures, one a minute for each of six sensors.
 * @param {string} file a database created by the daemon and not open
 * @param {number} count
 * @param {number} endMs time of the last readings, Unix milliseconds
 */
export function addTemperatures(file, count, endMs) {
  const firstMs = endMs - Math.ceil(count / sensors) * minuteMs;
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -200000');
  const triggers = db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'thermo_logs'`)
    .all();
  db.transaction(() => {
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    for (let i = 1; i <= sensors; i++) {
      db.prepare('INSERT INTO thermo_sensors (raw_name) VALUES (?)').run(`28-${i}`);
    }
    db.prepare(
      `WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ?)
       INSERT INTO thermo_logs (sensor_id, temp_c, time_ms)
       SELECT i % ${sensors} + 1, 4 + i % 7, ${firstMs} + i / ${sensors} * ${minuteMs} FROM number`,
    ).run(count);
    db.exec(`
      INSERT INTO list_counters SELECT 'thermo logs', 0, count(*) FROM thermo_logs;
      INSERT INTO list_counters SELECT 'thermo logs of sensor', sensor_id, count(*) FROM thermo_logs GROUP BY 2;
      INSERT INTO span_blocks SELECT 'thermo_logs', id / ${blockSize}, min(time_ms), max(time_ms), count(*)
        FROM thermo_logs GROUP BY 2;`);
    for (const { sql } of triggers) db.exec(sql);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
