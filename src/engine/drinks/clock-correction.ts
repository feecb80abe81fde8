import { wallAt } from '../../core/clock/clock-rules.ts';
import type { Moment } from '../../core/clock/moment.ts';
import {
  chooseSession,
  extendSession,
  joinsSession,
  openSession,
  rebuildSession,
} from '../../core/pours/session-rules.ts';
import type { ProvisionalTime } from '../../store/drinks/provisional-times-table.ts';
import type { Store } from '../../store/store.ts';
import type { Cleaning } from '../../store/taps/cleaning/cleanings-table.ts';
import type { EngineParts } from '../shared/parts.ts';
import { followCleaningTimes } from '../taps/cleaning/cleaning-times.ts';
import { recomputeSession, sessionTimeoutMs } from './apply-drink.ts';

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

interface MovedDrink {
  readonly id: number;
  readonly timeMs: number;
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
  const provisionalDrinks = store.drinks.provisionalByBoot(now.bootId);
  const movedBySession = new Map<number, MovedDrink[]>();
  for (const drink of provisionalDrinks) {
    const timeMs = toCorrectedMs(now, drink.endMonoMs);
    store.drinks.setTime(drink.id, timeMs);
    store.events.setDrinkTime(drink.id, timeMs);
    if (drink.sessionId === null) continue;
    const moved = movedBySession.get(drink.sessionId) ?? [];
    movedBySession.set(drink.sessionId, moved);
    moved.push({ id: drink.id, timeMs });
  }
  const isWhole = ([sessionId, moved]: [number, MovedDrink[]]) =>
    store.drinks.bySession(sessionId).length === moved.length;
  const sessions = [...movedBySession];
  const mixed = sessions.filter((session) => !isWhole(session));
  // Sessions with provisional times only are shifted as a whole first; then the drinks of mixed sessions are
  // regrouped.
  for (const [sessionId] of sessions.filter(isWhole)) recomputeSession(store, sessionId);
  for (const [sessionId, moved] of mixed) regroupDrinks(store, sessionId, moved);
  for (const kegId of new Set(provisionalDrinks.map((drink) => drink.kegId))) {
    if (kegId !== null) store.kegs.extendTimeSpan(kegId);
  }
  return provisionalDrinks.length;
}

/** Drinks with certain times keep their session; each moved one is assigned again. */
function regroupDrinks(store: Store, sessionId: number, moved: readonly MovedDrink[]): void {
  const timeoutMs = sessionTimeoutMs(store);
  const movedIds = new Set(moved.map((drink) => drink.id));
  const stayed = store.drinks.bySession(sessionId).filter((drink) => !movedIds.has(drink.id));
  store.sessions.setSpan(sessionId, rebuildSession(stayed, timeoutMs)!);
  const touched = new Set([sessionId]);
  for (const drink of [...moved].sort((a, b) => a.timeMs - b.timeMs)) {
    touched.add(reassignSession(store, sessionId, drink, { timeoutMs, firstStayedId: stayed[0]!.id }));
  }
  for (const id of touched) recomputeSession(store, id);
}

/**
 * Puts one moved drink into its own session if it still fits, else into another or a new one. Returns that
 * session's id.
 */
function reassignSession(
  store: Store,
  sessionId: number,
  { id, timeMs }: MovedDrink,
  { timeoutMs, firstStayedId }: { readonly timeoutMs: number; readonly firstStayedId: number },
): number {
  const own = store.sessions.byId(sessionId)!;
  const session = joinsSession(own, timeMs, timeoutMs)
    ? own
    : chooseSession(store.sessions.around(timeMs, timeoutMs), timeMs, timeoutMs);
  if (session !== null) {
    store.sessions.setSpan(session.id, {
      ...extendSession(session, timeMs, timeoutMs),
      volumeMl: session.volumeMl,
    });
    if (session.id === sessionId) return sessionId;
  }
  const { timeZone } = store.site.read();
  const targetId =
    session?.id ?? store.sessions.add({ ...openSession(timeMs, timeoutMs), volumeMl: 0, timeZone });
  if (store.events.startDrink(sessionId) === id) store.events.setStartDrink(sessionId, firstStayedId);
  store.events.moveToSession(id, targetId);
  store.drinks.setSession(id, targetId);
  const userId = store.drinks.userId(id);
  if (session === null) {
    store.events.add({ kind: 'session_started', timeMs, drinkId: id, sessionId: targetId, userId });
  }
  if (!store.drinks.hasOther(id, targetId, userId)) {
    store.events.add({ kind: 'session_joined', timeMs, drinkId: id, sessionId: targetId, userId });
  }
  return targetId;
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
