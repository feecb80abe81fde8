import type { CountedUpload } from '../../core/files/picture-quota.ts';
import type { Database } from '../database.ts';

/** Uploads of the last day, for the quota of each user. */
export function pictureUploadsTable(db: Database) {
  const since = db.prepare<[number, number, number], { time_ms: number; bytes: number }>(
    `SELECT time_ms, bytes FROM picture_uploads
     WHERE user_id = ? AND time_ms > ? AND time_ms <= ? ORDER BY time_ms`,
  );
  const add = db.prepare<[number, number, number]>(
    'INSERT INTO picture_uploads (user_id, time_ms, bytes) VALUES (?, ?, ?)',
  );
  const removeOutside = db.prepare<[number, number]>(
    'DELETE FROM picture_uploads WHERE time_ms <= ? OR time_ms > ?',
  );
  return {
    /** Uploads of a user after `sinceMs` until `untilMs`, Unix milliseconds, oldest first. */
    since: (userId: number, sinceMs: number, untilMs: number): readonly CountedUpload[] =>
      since.all(userId, sinceMs, untilMs).map((row) => ({ timeMs: row.time_ms, bytes: row.bytes })),
    add: (userId: number, { timeMs, bytes }: CountedUpload): void => void add.run(userId, timeMs, bytes),
    /** Removes uploads that no longer count, also those that a wrong clock dated in the future. */
    removeOutside: (sinceMs: number, untilMs: number): void => void removeOutside.run(sinceMs, untilMs),
  };
}
