import { crossesLowMark } from '../core/keg-volume.ts';
import type { Keg, Session } from '../core/records.ts';
import { chooseSession, extendSession, openSession, rebuildSession } from '../core/session-rules.ts';
import type { Store } from '../store/store.ts';

/** A real drink on its way into keg, session and diary. */
export interface AppliedDrink {
  readonly drinkId: number;
  readonly kegId: number | null;
  readonly userId: number | null;
  readonly timeMs: number;
  readonly volumeMl: number;
}

/** The session a drink of that time belongs to, its span and volume already grown by it. */
export interface SessionAssignment {
  readonly sessionId: number;
  readonly session: Session;
  /** True when the drink opened the session. */
  readonly isNew: boolean;
}

/** How long after the last drink a session is over, milliseconds, by the site's setting of today. */
export function sessionTimeoutMs(store: Store): number {
  return store.site.read().sessionTimeoutMinutes * 60_000;
}

/** Finds the gathering a drink belongs to, or opens one. */
export function assignSession(store: Store, drink: { timeMs: number; volumeMl: number }): SessionAssignment {
  const { timeMs, volumeMl } = drink;
  const timeoutMs = sessionTimeoutMs(store);
  const session = chooseSession(store.sessions.around(timeMs, timeoutMs), timeMs, timeoutMs);
  if (session === null) {
    const { timeZone } = store.site.read();
    const opened = { ...openSession(timeMs, timeoutMs), volumeMl, timeZone };
    const sessionId = store.sessions.add(opened);
    return { sessionId, session: store.sessions.byId(sessionId)!, isNew: true };
  }
  const span = { ...extendSession(session, timeMs, timeoutMs), volumeMl: session.volumeMl + volumeMl };
  store.sessions.setSpan(session.id, span);
  if (span.startTimeMs !== session.startTimeMs) store.events.setSessionStart(session.id, span.startTimeMs);
  return { sessionId: session.id, session: { ...session, ...span }, isNew: false };
}

/** Charges the keg and writes the diary, in the order the house tells its news. Gives the keg as it is then. */
export function applyDrink(
  store: Store,
  drink: AppliedDrink,
  { sessionId, isNew }: SessionAssignment,
): Keg | null {
  const { drinkId, kegId, userId, timeMs, volumeMl } = drink;
  const keg = kegId === null ? null : addServedVolume(store, kegId, volumeMl);
  if (keg?.state === 'on_tap' && !store.events.hasKegEvent(keg.id, 'keg_tapped')) {
    store.events.add({ kind: 'keg_tapped', timeMs: keg.startedTimeMs, kegId });
  }
  if (isNew) store.events.add({ kind: 'session_started', timeMs, drinkId, sessionId, userId });
  if (!store.drinks.hasOther(drinkId, sessionId, userId)) {
    store.events.add({ kind: 'session_joined', timeMs, drinkId, sessionId, userId });
  }
  store.events.add({ kind: 'drink_poured', timeMs, drinkId, kegId, sessionId, userId });
  if (keg !== null && crossesLowMark(keg, volumeMl, store.site.read().kegLowPercent / 100)) {
    store.events.add({ kind: 'keg_volume_low', timeMs, drinkId, kegId, sessionId, userId });
  }
  return keg;
}

function addServedVolume(store: Store, kegId: number, volumeMl: number): Keg {
  const before = store.kegs.byId(kegId)!;
  store.kegs.serve(kegId, volumeMl);
  return { ...before, servedVolumeMl: before.servedVolumeMl + volumeMl };
}

/** Makes the session what its drinks say; an empty one goes, with its events. */
export function recomputeSession(store: Store, sessionId: number): void {
  const span = rebuildSession(store.drinks.ofSession(sessionId), sessionTimeoutMs(store));
  if (span === null) {
    store.sessions.remove(sessionId);
    return;
  }
  store.sessions.setSpan(sessionId, span);
  store.events.setSessionStart(sessionId, span.startTimeMs);
}

/** Makes the keg's totals what its drinks and spills say. */
export function recomputeKeg(store: Store, kegId: number): void {
  store.kegs.recount(kegId);
  store.kegs.widen(kegId);
}
