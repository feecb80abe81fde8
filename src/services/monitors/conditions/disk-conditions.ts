import { estimateDiskWear, toEnduranceBytes } from '../../../core/alarms/disk-wear.ts';
import type { Moment } from '../../../core/clock/moment.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { NamedDisk } from '../disk-readings.ts';
import { type Condition, type Detector, hourMs } from './condition.ts';

/** The disk that holds the database; its readings are stored once a day. They are read once an hour. */
export function detectWornDisk(readDisk: () => NamedDisk | null): Detector {
  let readMonoMs: number | null = null;
  let conditions: readonly Condition[] = [];
  return (engine, now) => {
    if (readMonoMs === null || now.monoMs - readMonoMs >= hourMs) {
      conditions = judgeDisk(engine, readDisk(), now);
      readMonoMs = now.monoMs;
    }
    return conditions;
  };
}

function judgeDisk(engine: Engine, disk: NamedDisk | null, now: Moment): readonly Condition[] {
  if (disk === null) return [];
  const { name, identity, writtenBytes } = disk;
  try {
    engine.site.diskWrites.add(identity, writtenBytes, now);
  } catch {
    // A full disk has an alarm of its own; the sample is stored within the next hours.
  }
  const { diskEnduranceTb } = engine.notifications.alarms.settings();
  const endurance = toEnduranceBytes(diskEnduranceTb);
  const { state, usedPercent, months } = estimateDiskWear(
    disk,
    engine.site.diskWrites.list(identity),
    endurance,
  );
  return [
    {
      kind: 'card_wears_out',
      subject: identity,
      state,
      lastsMs: 0,
      values: { disk: name, usedPercent, months: months ?? 0 },
    },
  ];
}
