import type { Database } from '../database.ts';

/** Maximum number of stored rows; more from a faulty controller would explain nothing further. */
const maxRows = 1_000;

/** Reported pours that could not be parsed, unchanged. */
export function poursSetAsideTable(db: Database) {
  const insert = db.prepare<{
    device: string;
    bootId: string;
    eventId: number;
    reason: string;
    event: string;
    timeMs: number;
  }>(
    `INSERT INTO pours_set_aside (device, boot_id, event_id, reason, event, time_ms)
     VALUES (@device, @bootId, @eventId, @reason, @event, @timeMs) ON CONFLICT DO NOTHING`,
  );
  const removeOld = db.prepare<[number]>(
    'DELETE FROM pours_set_aside WHERE id <= (SELECT max(id) FROM pours_set_aside) - ?',
  );
  const count = db.prepare<[string], number>('SELECT count(*) FROM pours_set_aside WHERE device = ?').pluck();
  return {
    add(pour: {
      device: string;
      bootId: string;
      eventId: number;
      reason: string;
      event: string;
      timeMs: number;
    }): void {
      insert.run(pour);
      removeOld.run(maxRows);
    },
    count: (device: string): number => count.get(device)!,
  };
}
