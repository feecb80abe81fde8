import { keptDays, type WriteSample } from '../../core/alarms/disk-wear.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { EngineParts } from '../shared/parts.ts';

const dayMs = 86_400_000;

/** How much was written to the disk, by day. */
export function createDiskWrites({ store }: EngineParts) {
  return {
    /** The samples of a disk, oldest first. */
    list: (disk: string): readonly WriteSample[] => store.site.diskWrites.byDisk(disk),

    /** Stores the counter, once a day; nothing while the day is unknown, or while the disk's reserve allows no write. */
    add(disk: string, writtenBytes: number, now: Moment): void {
      const day = Math.floor(now.wallMs / dayMs);
      if (!now.synced || store.site.diskWrites.byDisk(disk).at(-1)?.day === day) return;
      store.diskSpace.require('operation');
      store.transaction(() => store.site.diskWrites.add({ disk, day, writtenBytes }, day - keptDays));
    },
  };
}
