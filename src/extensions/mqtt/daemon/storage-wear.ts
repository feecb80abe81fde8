import { type DiskReadings, estimateDiskWear, toEnduranceBytes } from '../../../core/alarms/disk-wear.ts';
import type { Engine } from '../../../engine/engine.ts';

/** The disk's registers change in months, milliseconds. */
const lifeMs = 60 * 60_000;

/**
 * Returns what reads the used part of the disk's life, per cent; null where the kernel shows no counter. It is an estimate for disks
 * without a register of their own, as the alarm about worn disks makes it.
 */
export function createStorageWear(
  readDisk: () => DiskReadings | null,
  nowMonoMs: () => number,
): (engine: Engine) => number | null {
  let readMonoMs: number | null = null;
  let disk: DiskReadings | null = null;
  return (engine) => {
    const now = nowMonoMs();
    if (readMonoMs === null || now - readMonoMs >= lifeMs) {
      disk = readDisk();
      readMonoMs = now;
    }
    if (disk === null) return null;
    const endurance = toEnduranceBytes(engine.notifications.alarms.settings().diskEnduranceTb);
    return estimateDiskWear(disk, [], endurance).usedPercent;
  };
}
