import type { Database } from '../../../store/database.ts';
import { SeenIds } from '../core/seen-ids.ts';

/** Boots stored for each kegboard: enough for a week of restarts every twenty minutes. */
const maxBoots = 512;

/** Ids of the handled events, for each kegboard and boot. */
export function kegboardCursorsTable(db: Database) {
  const find = db
    .prepare<[string, string], string>('SELECT seen FROM kegboard_cursors WHERE device = ? AND boot_id = ?')
    .pluck();
  const save = db.prepare<{ device: string; bootId: string; seen: string }>(
    `INSERT INTO kegboard_cursors (device, boot_id, seen) VALUES (@device, @bootId, @seen)
     ON CONFLICT (device, boot_id) DO UPDATE SET seen = excluded.seen`,
  );
  const removeOld = db.prepare<{ device: string; most: number }>(
    `DELETE FROM kegboard_cursors WHERE device = @device AND id <=
       (SELECT id FROM kegboard_cursors WHERE device = @device ORDER BY id DESC LIMIT 1 OFFSET @most)`,
  );
  return {
    /** Null for an unknown boot. */
    find(device: string, bootId: string): SeenIds | null {
      const seen = find.get(device, bootId);
      return seen === undefined ? null : new SeenIds(seen);
    },
    save: (device: string, bootId: string, seen: SeenIds): void =>
      void save.run({ device, bootId, seen: seen.toString() }),
    /** Starts a new boot and removes the oldest ones above the limit. */
    begin(device: string): SeenIds {
      removeOld.run({ device, most: maxBoots });
      return new SeenIds();
    },
  };
}
