// Fills a database with temperatures in one statement.
import Sqlite from 'better-sqlite3';

const sensors = 6;
const minuteMs = 60_000;

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
  db.transaction(() => {
    for (let i = 1; i <= sensors; i++) {
      db.prepare('INSERT INTO thermo_sensors (raw_name) VALUES (?)').run(`28-${i}`);
    }
    db.prepare(
      `WITH RECURSIVE number (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM number WHERE i + 1 < ?)
       INSERT INTO thermo_logs (sensor_id, temp_c, time_ms)
       SELECT i % ${sensors} + 1, 4 + i % 7, ${firstMs} + i / ${sensors} * ${minuteMs} FROM number`,
    ).run(count);
    db.exec(
      'UPDATE thermo_sensors SET readings = (SELECT count(*) FROM thermo_logs WHERE sensor_id = thermo_sensors.id)',
    );
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
