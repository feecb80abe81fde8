import type { ProvisionalTime } from '../../store/shared/provisional-times-table.ts';
import type { Store } from '../../store/store.ts';
import { type ClockFollower, toCorrectedMs } from '../shared/clock-follower.ts';

/** Moves the readings that were taken before the clock was set. */
export const moveReadings: ClockFollower = (store, now) => {
  const noted = store.provisionalTimes.byBoot(now.bootId).filter(({ kind }) => kind === 'thermo_log');
  return () => {
    for (const time of noted) moveReading(store, time, toCorrectedMs(now, time.monoMs));
  };
};

/** Moves a reading to its true minute; when that minute has a reading, the one received later stays. */
function moveReading(store: Store, time: ProvisionalTime, timeMs: number): void {
  const reading = store.temperatures.logById(time.rowId);
  if (reading === null) return;
  const minute = timeMs - (timeMs % 60_000);
  const other = store.temperatures.otherInMinute(reading, minute);
  if (other !== null && other.id > reading.id) {
    store.temperatures.removeLog(reading);
    return;
  }
  if (other !== null) store.temperatures.removeLog(other);
  store.temperatures.moveLog(reading.id, minute);
}
