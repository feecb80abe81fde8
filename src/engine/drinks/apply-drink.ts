import { crossesLowMark } from '../../core/kegs/keg-volume.ts';
import type { Drink, Keg, User } from '../../core/records.ts';
import type { Store } from '../../store/store.ts';
import { updateEvidenceWith } from '../kegs/keg-evidence.ts';
import { kegIdsOf } from '../kegs/placement/place-drinks.ts';
import { hasFollower } from '../kegs/tap-kegs.ts';
import { addEvent, queueHeldPour } from '../shared/queue-news.ts';
import type { DrinkView } from '../shared/views.ts';
import { normalizeTokenText } from '../users/resolve-user.ts';
import type { PreparedDrink } from './recording/prepared-drink.ts';
import { assignSession, type SessionAssignment, writeStartEvent } from './sessions/assign-session.ts';

/** A valid drink whose events are to be written. */
interface StoredDrink {
  readonly drinkId: number;
  readonly kegId: number | null;
  readonly userId: number | null;
  readonly timeMs: number;
  readonly volumeMl: number;
  /** Where it came from several kegs. */
  readonly parts: Drink['parts'];
}

/**
 * Writes the events of a stored drink, in the order in which the feed shows them. Returns its keg with the drink.
 */
export function writeDrinkEvents(
  store: Store,
  drink: StoredDrink,
  assignment: SessionAssignment,
): Keg | null {
  const { sessionId } = assignment;
  const { drinkId, kegId, userId, timeMs, volumeMl, parts } = drink;
  const keg = kegId === null ? null : store.kegs.byId(kegId)!;
  if (keg?.state === 'on_tap' && !store.drinks.events.hasKegEvent(keg.id, 'keg_tapped')) {
    addEvent(store, { kind: 'keg_tapped', timeMs: keg.startedTimeMs, kegId });
  }
  writeStartEvent(store, drink, assignment);
  if (!store.drinks.hasOther(drinkId, sessionId, userId)) {
    addEvent(store, { kind: 'session_joined', timeMs, drinkId, sessionId, userId });
  }
  addEvent(store, { kind: 'drink_poured', timeMs, drinkId, kegId, sessionId, userId });
  const kegMl = parts?.find((part) => part.kegId === kegId)?.volumeMl ?? volumeMl;
  if (
    keg !== null &&
    crossesLowMark(keg, kegMl, store.site.read().kegLowPercent / 100) &&
    !hasFollower(store, keg.id)
  ) {
    const low = { kind: 'keg_volume_low', timeMs, drinkId, kegId, sessionId, userId } as const;
    // Nobody needs to know that a keg is nearly empty that is off its tap.
    if (keg.state === 'on_tap') addEvent(store, low);
    else store.drinks.events.add(low);
  }
  return keg;
}

/** Inserts the drink; a valid one joins a session, and its events are written. */
export function insertDrink(store: Store, given: PreparedDrink): DrinkView {
  const authToken = given.authToken === null ? null : normalizeTokenText(given.authToken);
  const pour = { ...given, authToken };
  const { kegId, userId, heldReason, pourTimeMs: timeMs, volumeMl } = pour;
  const user = userId === null ? null : store.users.byId(userId);
  if (heldReason !== null) {
    const drink = toStoredDrink(pour, { id: store.drinks.add(pour, null), sessionId: null, user });
    if (!drink.isSetAside) queueHeldPour(store, drink);
    return { drink, keg: null, user, session: null };
  }
  const assignment = assignSession(store, { timeMs, volumeMl });
  const { sessionId, session } = assignment;
  const id = store.drinks.add(pour, sessionId);
  const keg = writeDrinkEvents(
    store,
    { drinkId: id, kegId, userId, timeMs, volumeMl, parts: pour.parts },
    assignment,
  );
  for (const id of kegIdsOf(given)) updateEvidenceWith(store, id, timeMs);
  return { drink: toStoredDrink(pour, { id, sessionId, user }), keg, user, session };
}

/** The drink as the database would return it. */
function toStoredDrink(
  pour: PreparedDrink,
  { id, sessionId, user }: { id: number; sessionId: number | null; user: User | null },
): Drink {
  const { bootId: _boot, endMonoMs: _end, userId: _user, setAside: _aside, ...fields } = pour;
  // The copied fields last: adding fields to a copy of this size takes 10 µs, this way it takes 1.
  return { id, sessionId, username: user?.username ?? null, isValid: pour.heldReason === null, ...fields };
}
