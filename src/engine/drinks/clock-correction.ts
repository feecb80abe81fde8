import { wallAt } from '../../core/clock/clock-rules.ts';
import type { Moment } from '../../core/clock/moment.ts';
import type { ProvisionalTime } from '../../store/drinks/provisional-times-table.ts';
import type { Store } from '../../store/store.ts';
import type { Cleaning } from '../../store/taps/cleaning/cleanings-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import { followCleaningTimes } from '../taps/cleaning/cleaning-times.ts';
import { settleSessions } from './sessions/settle-sessions.ts';

export interface ClockCorrection {
  /** The newest time ever taken from a set clock; provisional times never start before it. */
  newestSyncedMs(): number | null;
  /**
   * Marks the times of this boot's drinks as uncertain after a trusted clock turned out wrong. `before` is
   * the present by that clock.
   */
  markTimesUncertain(before: Moment): void;
  /**
   * Corrects every time recorded in this boot before the clock was set, in one transaction. Returns how many
   * drinks were moved.
   */
  correct(now: Moment): number;
}

export function createClockCorrection({ store, bus }: EngineParts): ClockCorrection {
  return {
    newestSyncedMs: () => store.site.newestSyncedMs(),
    markTimesUncertain: (before) => void store.transaction(() => store.drinks.markTimesUncertain(before)),
    correct(now) {
      if (!now.synced) return 0;
      const { drinks, others } = store.transaction(() => {
        const cleanings = movedCleanings(store, now);
        const counts = { drinks: correctDrinks(store, now), others: correctProvisionalTimes(store, now) };
        for (const before of cleanings) followCleaningTimes(store, before, now);
        store.upstream.correct(now.bootId, wallAt(now, 0));
        store.site.resetNewestSynced(Math.round(now.wallMs));
        return counts;
      });
      if (drinks + others > 0) bus.publish({ type: 'database.changed' });
      return drinks;
    },
  };
}

/** Corrects the times of this boot's uncertain drinks, then their sessions. Returns how many. */
export function correctDrinks(store: Store, now: Moment): number {
  const moved = store.drinks.provisionalByBoot(now.bootId);
  for (const drink of moved) {
    const timeMs = toCorrectedMs(now, drink.endMonoMs);
    store.drinks.setTime(drink.id, timeMs);
    store.events.setDrinkTime(drink.id, timeMs);
  }
  // A time-out that was changed by a clock that was fast holds from now on.
  const isLimited = store.sessionTimeouts.limitTo(Math.round(now.wallMs));
  const later = { startTimeMs: now.wallMs, endTimeMs: Number.MAX_SAFE_INTEGER };
  const sessionIds = [
    ...moved.flatMap(({ sessionId }) => sessionId ?? []),
    ...(isLimited ? store.sessions.overlapping(later).map(({ id }) => id) : []),
  ];
  settleSessions(store, sessionIds, new Set(moved.map(({ id }) => id)));
  for (const kegId of new Set(moved.map((drink) => drink.kegId))) {
    if (kegId !== null) store.kegs.extendTimeSpan(kegId);
  }
  return moved.length;
}

/** The cleanings, as they are, whose times or pours were recorded in this boot before the clock was set. */
function movedCleanings(store: Store, now: Moment): readonly Cleaning[] {
  const ids = [
    ...store.provisionalTimes
      .byBoot(now.bootId)
      .flatMap(({ kind, rowId }) =>
        kind === 'cleaning_started' || kind === 'cleaning_ended' ? [rowId] : [],
      ),
    ...store.drinks.provisionalByBoot(now.bootId).flatMap(({ cleaningId }) => cleaningId ?? []),
  ];
  return [...new Set(ids)].flatMap((id) => store.cleanings.byId(id) ?? []);
}

/** Corrects all provisional times other than drinks'. */
function correctProvisionalTimes(store: Store, now: Moment): number {
  const times = store.provisionalTimes.byBoot(now.bootId);
  for (const time of times) {
    const timeMs = toCorrectedMs(now, time.monoMs);
    if (time.kind === 'thermo_log') moveReading(store, time, timeMs);
    else store.provisionalTimes.correct(time, timeMs);
  }
  store.provisionalTimes.clearBoot(now.bootId);
  return times.length;
}

/** Moves a reading to its true minute; when that minute has a reading, the one received later stays. */
function moveReading(store: Store, time: ProvisionalTime, timeMs: number): void {
  const reading = store.thermo.logById(time.rowId);
  if (reading === null) return;
  const minute = timeMs - (timeMs % 60_000);
  const other = store.thermo.otherInMinute(reading, minute);
  if (other !== null && other.id > reading.id) {
    store.thermo.removeLog(reading);
    return;
  }
  if (other !== null) store.thermo.removeLog(other);
  store.thermo.moveLog(reading.id, minute);
}

function toCorrectedMs(now: Moment, monoMs: number): number {
  return Math.max(0, Math.round(wallAt(now, monoMs)));
}
