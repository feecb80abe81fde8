import type { Moment } from '../../core/clock/moment.ts';
import type { Store } from '../../store/store.ts';
import { type ClockFollower, toCorrectedMs } from '../shared/clock-follower.ts';
import type { EngineParts } from '../shared/parts.ts';
import { recomputeSessions } from './sessions/recompute-sessions.ts';

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

export function createClockCorrection(
  { store, bus }: EngineParts,
  followers: readonly ClockFollower[],
): ClockCorrection {
  return {
    newestSyncedMs: () => store.site.newestSyncedMs(),
    markTimesUncertain: (before) => void store.transaction(() => store.drinks.markTimesUncertain(before)),
    correct(now) {
      if (!now.synced) return 0;
      const { drinks, others } = store.transaction(() => {
        const follow = followers.map((prepare) => prepare(store, now));
        const counts = { drinks: correctDrinks(store, now), others: correctNotedTimes(store, now) };
        for (const move of follow) move();
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
    store.drinks.events.setDrinkTime(drink.id, timeMs);
  }
  // A time-out that was changed by a clock that was fast holds from now on.
  const isLimited = store.drinks.sessionTimeouts.limitTo(Math.round(now.wallMs));
  const later = { startTimeMs: now.wallMs, endTimeMs: Number.MAX_SAFE_INTEGER };
  const sessionIds = [
    ...moved.flatMap(({ sessionId }) => sessionId ?? []),
    ...(isLimited ? store.drinks.sessions.overlapping(later).map(({ id }) => id) : []),
  ];
  recomputeSessions(store, sessionIds, new Set(moved.map(({ id }) => id)));
  for (const kegId of new Set(moved.map((drink) => drink.kegId))) {
    if (kegId !== null) store.kegs.extendTimeSpan(kegId);
  }
  return moved.length;
}

/** Writes the true times that the tables declare, and forgets all notes of this boot. */
function correctNotedTimes(store: Store, now: Moment): number {
  const noted = store.provisionalTimes.byBoot(now.bootId);
  for (const time of noted) store.provisionalTimes.correct(time, toCorrectedMs(now, time.monoMs));
  store.provisionalTimes.clearBoot(now.bootId);
  return noted.length;
}
