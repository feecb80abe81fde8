import { drinkSpan, joinSpans } from '../../../core/pours/session-rules.ts';
import type { Session } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { addEvent } from '../../shared/queue-news.ts';
import { toWholePart, uniteParts } from './unite-parts.ts';

/** The session of a drink, whose span and volume already include it. */
export interface SessionAssignment {
  readonly sessionId: number;
  readonly session: Session;
  /** True when the drink started the session. */
  readonly isNew: boolean;
}

/** Finds or creates the session of a drink; sessions that it joins are merged. */
export function assignSession(store: Store, drink: { timeMs: number; volumeMl: number }): SessionAssignment {
  const { timeMs, volumeMl } = drink;
  const own = drinkSpan(timeMs, store.drinks.sessionTimeouts.all());
  const sessions = store.drinks.sessions.overlapping(own);
  if (sessions.length === 0) {
    const { timeZone } = store.site.read();
    const sessionId = store.drinks.sessions.add({ ...own, volumeMl, timeZone });
    return { sessionId, session: store.drinks.sessions.byId(sessionId)!, isNew: true };
  }
  const session = sessions.length === 1 ? sessions[0]! : mergeSessions(store, sessions);
  const span = { ...joinSpans([session, own]), volumeMl: session.volumeMl + volumeMl };
  store.drinks.sessions.setSpan(session.id, span);
  if (span.startTimeMs !== session.startTimeMs)
    store.drinks.events.setSessionStart(session.id, span.startTimeMs);
  return { sessionId: session.id, session: { ...session, ...span }, isNew: false };
}

/** Writes the start event of a session whose first drink this is, or gives it this drink. */
export function writeStartEvent(
  store: Store,
  { drinkId, userId, timeMs }: { drinkId: number; userId: number | null; timeMs: number },
  { sessionId, session, isNew }: SessionAssignment,
): void {
  const start = isNew ? null : store.drinks.events.start(sessionId);
  const { startTimeMs } = session;
  if (start === null)
    addEvent(store, { kind: 'session_started', timeMs: startTimeMs, drinkId, sessionId, userId });
  else if (timeMs < start.pourTimeMs) store.drinks.events.setDrink(start.id, drinkId, startTimeMs);
}

function mergeSessions(store: Store, sessions: readonly Session[]): Session {
  uniteParts(store, [sessions.map((session) => toWholePart(store, session))]);
  return store.drinks.sessions.byId(Math.min(...sessions.map(({ id }) => id)))!;
}
