import type { Database } from '../../../store/database.ts';

/** Maximum number of stored rows; more from a faulty controller would explain nothing further. */
const maxRows = 1_000;

/** Reported pours that were refused, as received, with the reason. */
export function refusedPoursTable(db: Database) {
  const insert = db.prepare<{
    device: string;
    bootId: string;
    eventId: number;
    reason: string;
    event: string;
    timeMs: number;
  }>(
    `INSERT INTO refused_pours (device, boot_id, event_id, reason, event, time_ms)
     VALUES (@device, @bootId, @eventId, @reason, @event, @timeMs) ON CONFLICT DO NOTHING`,
  );
  const removeOld = db.prepare<[number]>(
    'DELETE FROM refused_pours WHERE id <= (SELECT max(id) FROM refused_pours) - ?',
  );
  const count = db.prepare<[string], number>('SELECT count(*) FROM refused_pours WHERE device = ?').pluck();
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
