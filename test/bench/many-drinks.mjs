// Fills a ledger with years of evenings in one transaction: faster than pouring them, and in the same tables.
import Sqlite from 'better-sqlite3';

const perSession = 20;
const betweenMs = 90_000;
const eveningMs = 86_400_000;
const firstMs = Date.UTC(2016, 0, 1, 18);

/**
 * Adds so many drinks of 10 mL, shared among the kegs, taps and users that are there, with their sessions and events.
 * @param {string} file a ledger that the daemon has made, and that nobody has open
 * @param {number} count
 */
export function addDrinks(file, count) {
  const db = new Sqlite(file);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -200000');
  const taps = db.prepare('SELECT id, keg_id FROM taps WHERE keg_id IS NOT NULL').all();
  const users = db.prepare('SELECT id FROM users').pluck().all();
  const session = db.prepare(
    'INSERT INTO sessions (start_time_ms, end_time_ms, volume_ml, time_zone) VALUES (?, ?, ?, ?)',
  );
  const drink = db.prepare(
    `INSERT INTO drinks (tap_id, keg_id, session_id, user_id, ticks, volume_ml, volume_given, pour_time_ms, time_certain, boot_id,
       end_mono_ms, duration_ms, is_valid, pour_id, meter, rejected_edges, recovered, source)
     VALUES (?, ?, ?, ?, 54, 10, 0, ?, 1, 'bench', 0, 5000, 1, ?, 'pi.flow0', 0, 0, 'pin')`,
  );
  const event = db.prepare(
    'INSERT INTO events (kind, time_ms, drink_id, keg_id, session_id, user_id) VALUES (?, ?, ?, ?, ?, ?)',
  );
  db.transaction(() => {
    for (let i = 0; i < count; ) {
      const startMs = firstMs + (i / perSession) * eveningMs * 0.07;
      const size = Math.min(perSession, count - i);
      const endMs = startMs + (size - 1) * betweenMs + 10_800_000;
      const sessionId = session.run(startMs, endMs, size * 10, 'UTC').lastInsertRowid;
      for (const last = i + size; i < last; i++) {
        const { id: tapId, keg_id: kegId } = taps[i % taps.length];
        const timeMs = startMs + (i % perSession) * betweenMs;
        const userId = users[(i + (i >> 5)) % users.length] ?? null;
        const drinkId = drink.run(tapId, kegId, sessionId, userId, timeMs, `bench-${i}`).lastInsertRowid;
        if (i % perSession === 0) event.run('session_started', timeMs, drinkId, null, sessionId, userId);
        event.run('drink_poured', timeMs, drinkId, kegId, sessionId, userId);
      }
    }
    db.exec(
      `UPDATE kegs SET full_volume_ml = 10000000,
         served_volume_ml = (SELECT coalesce(sum(volume_ml), 0) FROM drinks WHERE keg_id = kegs.id)`,
    );
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
