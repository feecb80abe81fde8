import type { WriteSample } from '../../core/alarms/disk-wear.ts';
import type { Database } from '../database.ts';

/** The disk's counter of written bytes, one row a day. */
export function diskWritesTable(db: Database) {
  const byDisk = db.prepare<[string], WriteSample>(
    'SELECT day, written_bytes AS writtenBytes FROM disk_writes WHERE disk = ? ORDER BY day',
  );
  const insert = db.prepare<WriteSample & { disk: string }>(
    'INSERT INTO disk_writes (day, disk, written_bytes) VALUES (@day, @disk, @writtenBytes) ON CONFLICT (day) DO NOTHING',
  );
  const removeOthers = db.prepare<WriteSample & { disk: string; sinceDay: number }>(
    `DELETE FROM disk_writes WHERE disk <> @disk OR day < @sinceDay OR day > @day OR written_bytes > @writtenBytes`,
  );
  return {
    /** Oldest first. */
    byDisk: (disk: string): readonly WriteSample[] => byDisk.all(disk),
    /** Adds the sample of a day; those of another disk, older ones and those that cannot precede it are removed. */
    add(sample: WriteSample & { readonly disk: string }, sinceDay: number): void {
      removeOthers.run({ ...sample, sinceDay });
      insert.run(sample);
    },
  };
}
