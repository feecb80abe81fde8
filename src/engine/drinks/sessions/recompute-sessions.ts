import { drinkSpan, groupOverlapping, joinSpans } from '../../../core/pours/session-rules.ts';
import type { Session } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { type SessionPart, toWholePart, uniteParts } from './unite-parts.ts';

/**
 * Computes sessions again after their drinks were changed, moved in time or removed: one with a gap is split, overlapping ones
 * are merged, one without drinks is removed with its events. The first part of a split session keeps its id; drinks that were moved
 * decide about it only when all were.
 */
export function recomputeSessions(
  store: Store,
  sessionIds: Iterable<number>,
  movedIds: ReadonlySet<number> = new Set(),
): void {
  const ids = new Set(sessionIds);
  const sessions = [...ids].flatMap((id) => store.drinks.sessions.byId(id) ?? []);
  const parts = sessions.flatMap((session) => splitSession(store, session, movedIds));
  const others = new Map(
    parts
      .flatMap((part) => store.drinks.sessions.overlapping(part, ids.size + 1))
      .filter(({ id }) => !ids.has(id))
      .map((session) => [session.id, session]),
  );
  const all = [...parts, ...[...others.values()].map((session) => toWholePart(store, session))];
  all.sort((one, other) => one.startTimeMs - other.startTimeMs || one.endTimeMs - other.endTimeMs);
  uniteParts(store, groupOverlapping(all));
  for (const { id } of sessions) {
    if (!parts.some(({ session }) => session?.id === id)) store.drinks.sessions.remove(id);
  }
}

/** The parts of a session between which nobody drank for the time-out. */
function splitSession(store: Store, session: Session, movedIds: ReadonlySet<number>): readonly SessionPart[] {
  const timeouts = store.drinks.sessionTimeouts.all();
  const spans = store.drinks
    .bySession(session.id)
    .map((drink) => ({ drink, ...drinkSpan(drink.pourTimeMs, timeouts) }));
  const groups = groupOverlapping(spans).map((group) => ({
    ...joinSpans(group),
    drinks: group.map(({ drink }) => drink),
  }));
  const kept = groups.find(({ drinks }) => drinks.some(({ id }) => !movedIds.has(id))) ?? groups[0];
  return groups.map((group) => ({
    ...group,
    volumeMl: group.drinks.reduce((sum, { volumeMl }) => sum + volumeMl, 0),
    session: group === kept ? session : null,
    timeZone: session.timeZone,
  }));
}
