import type { Moment } from '../../../core/clock/moment.ts';
import { systemActor } from '../../../engine/shared/audit.ts';
import type { ClockFollower } from '../../../engine/shared/clock-follower.ts';
import { type CleaningDatabase, withCleanings } from '../store/cleaning-store.ts';
import type { Cleaning } from '../store/cleanings-table.ts';
import { recomputeLostBeer } from './cleaning-beer.ts';
import { addEntry, maxSpanMs } from './cleaning-entries.ts';

/** Follows the cleanings whose times or pours were recorded in this boot before the clock was set. */
export const followCleaningTimes: ClockFollower = (base, now) => {
  const store = withCleanings(base);
  const noted = store.cleaningTimes
    .byBoot(now.bootId)
    .filter(({ kind }) => kind === 'cleaning_started' || kind === 'cleaning_ended');
  const ids = new Set([...noted.map(({ rowId }) => rowId), ...store.cleaningPours.ofUnsetClock(now.bootId)]);
  const cleanings = [...ids].flatMap((id) => store.cleanings.byId(id) ?? []);
  return () => {
    for (const before of cleanings) followTimes(store, before, now);
  };
};

/**
 * Follows the times of a cleaning after the clock was set: its lost beer has that of its last pour, and its log gets an entry with the
 * times that hold now. Times that a person entered stay. `before` is the cleaning as it was.
 */
function followTimes(store: CleaningDatabase, before: Cleaning, now: Moment): void {
  const cleaning = store.cleanings.byId(before.id)!;
  recomputeLostBeer(store, cleaning.id);
  const [last] = store.cleaningEntries.of(cleaning.id);
  if (last === undefined || cleaning.endedMs === null) return;
  const startedMs = last.startedMs === before.startedMs ? cleaning.startedMs : last.startedMs;
  const endedMs = last.endedMs === before.endedMs ? cleaning.endedMs : last.endedMs;
  if (startedMs === last.startedMs && endedMs === last.endedMs) return;
  const spanMs = Math.min(Math.max(endedMs - startedMs, 0), maxSpanMs);
  addEntry(store, cleaning, { ...last, startedMs, endedMs: startedMs + spanMs }, { actor: systemActor, now });
}
