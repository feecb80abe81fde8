import type { Session } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';

/** A drink of a session. */
type SessionDrink = ReturnType<Store['drinks']['bySession']>[number];

/** Imported drinks are history without events. */
export const hasEvents = ({ source }: Pick<SessionDrink, 'source'>): boolean => source !== 'import';

/**
 * Gives the session its one start event, with its first drink. One that is missing is written without messages: nobody
 * began to drink now.
 */
export function arrangeStart(
  store: Store,
  { id: sessionId, startTimeMs: timeMs }: Pick<Session, 'id' | 'startTimeMs'>,
  drinks: readonly SessionDrink[],
): void {
  const first = drinks.find(hasEvents);
  const start = store.drinks.events.start(sessionId);
  if (first === undefined) {
    if (start !== null) store.drinks.events.remove(start.id);
  } else if (start !== null) {
    store.drinks.events.setDrink(start.id, first.id, timeMs);
  } else {
    const { id: drinkId, userId } = first;
    store.drinks.events.add({ kind: 'session_started', timeMs, drinkId, sessionId, userId });
  }
}

/** Gives everybody in the session one join event, with the first drink, after drinks were moved. */
export function arrangeJoins(store: Store, sessionId: number, drinks: readonly SessionDrink[]): void {
  const firstByUser = new Map<number | null, SessionDrink>();
  for (const drink of drinks.filter(hasEvents)) {
    if (!firstByUser.has(drink.userId)) firstByUser.set(drink.userId, drink);
  }
  const userOf = new Map(drinks.map(({ id, userId }) => [id, userId]));
  for (const { id, drinkId } of store.drinks.events.joins(sessionId)) {
    const userId = userOf.get(drinkId);
    const first = userId === undefined ? undefined : firstByUser.get(userId);
    if (first === undefined) store.drinks.events.remove(id);
    else {
      store.drinks.events.setDrink(id, first.id, first.pourTimeMs);
      firstByUser.delete(first.userId);
    }
  }
  for (const { id: drinkId, pourTimeMs: timeMs, userId } of firstByUser.values()) {
    store.drinks.events.add({ kind: 'session_joined', timeMs, drinkId, sessionId, userId });
  }
}
