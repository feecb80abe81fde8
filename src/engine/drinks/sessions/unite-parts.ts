import { joinSpans } from '../../../core/pours/session-rules.ts';
import type { Session } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { addEvent } from '../../shared/queue-news.ts';
import { arrangeJoins, arrangeStart, hasEvents } from './session-events.ts';

/** Drinks that follow each other within the time-out. */
export interface SessionPart {
  readonly startTimeMs: number;
  readonly endTimeMs: number;
  readonly volumeMl: number;
  /** The session whose id the part keeps; null for one that was split off. */
  readonly session: Session | null;
  readonly timeZone: string;
  readonly drinks: ReturnType<Store['drinks']['bySession']>;
}

export const toWholePart = (store: Store, session: Session): SessionPart => ({
  startTimeMs: session.startTimeMs,
  endTimeMs: session.endTimeMs,
  volumeMl: session.volumeMl,
  session,
  timeZone: session.timeZone,
  drinks: store.drinks.bySession(session.id),
});

/** Makes one session of each group of parts, the one with the lowest id or a new one. The others lead to it. */
export function uniteParts(store: Store, groups: readonly (readonly SessionPart[])[]): void {
  const united = groups.map((parts) => ({ parts, id: uniteGroup(store, parts) }));
  const sources = united.flatMap(({ parts, id }) => parts.filter(({ session }) => session?.id !== id));
  // Only now: until all groups were united, a session had drinks of several.
  for (const { parts, id } of united) removeMerged(store, parts, id);
  for (const { parts, id } of united) {
    const session = store.drinks.sessions.byId(id)!;
    const drinks = parts.length === 1 ? parts[0]!.drinks : store.drinks.bySession(id);
    arrangeStart(store, session, drinks);
    if (sources.length > 0) arrangeJoins(store, id, drinks);
  }
}

/** Moves the drinks of a group into one session. Returns its id. */
function uniteGroup(store: Store, parts: readonly SessionPart[]): number {
  const known = parts.flatMap(({ session }) => session ?? []).sort((one, other) => one.id - other.id);
  const span = {
    ...joinSpans(parts),
    volumeMl: parts.reduce((sum, { volumeMl }) => sum + volumeMl, 0),
  };
  const id = known[0]?.id ?? store.drinks.sessions.add({ ...span, timeZone: parts[0]!.timeZone });
  for (const { drinks } of parts.filter(({ session }) => session?.id !== id)) {
    for (const drink of drinks) {
      store.drinks.events.moveToSession(drink.id, id);
      store.drinks.setSession(drink.id, id);
    }
  }
  store.drinks.sessions.setSpan(id, span);
  const name = known.find((session) => session.name !== null)?.name ?? null;
  if (known[0]?.name === null && name !== null) store.drinks.sessions.setName(id, name);
  return id;
}

function removeMerged(store: Store, parts: readonly SessionPart[], survivorId: number): void {
  for (const { session, drinks, startTimeMs } of parts) {
    if (session === null || session.id === survivorId) continue;
    store.drinks.events.moveMerges(session.id, survivorId);
    store.drinks.sessions.removeMerged(session.id, survivorId);
    // Nobody heard of a session that was imported as history.
    if (!drinks.some(hasEvents)) continue;
    addEvent(store, {
      kind: 'session_merged',
      timeMs: startTimeMs,
      sessionId: survivorId,
      mergedSessionId: session.id,
    });
  }
}
