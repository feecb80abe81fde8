import type { Drink } from '../../core/records.ts';
import type { PendingDrink } from '../../store/reports/statistics-table.ts';
import type { CountedList } from '../../store/shared/list-counters-table.ts';
import type { ListFilter } from '../../store/shared/paged-list.ts';
import type { Store } from '../../store/store.ts';
import { readPage, requireFound, validationError, withMinimumTotal } from '../shared/bounds.ts';
import type { Page, PageRequest } from '../shared/views.ts';

/** A time span, Unix milliseconds; `untilMs` is exclusive. */
export interface TimeSpan {
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

/** Filters for drinks; absent ones do not filter. */
export interface DrinkQuery extends PageRequest, TimeSpan {
  /** False lists held ones; default true. */
  readonly isValid?: boolean;
  /** An unknown name gives an empty list. */
  readonly username?: string;
  readonly kegId?: number;
  readonly sessionId?: number;
  readonly tapId?: number;
}

/**
 * Most drinks not yet in the statistics that are scanned; with more, the statistics must be updated first.
 */
const maxWaiting = 256;

/**
 * Filters, the most selective first: sessions and kegs end, a user's drinks grow without limit. The first one
 * given uses its index.
 */
const listFilters = [
  { column: 'session_id', counter: 'drinks of session' },
  { column: 'keg_id', counter: 'drinks of keg' },
  { column: 'user_id', counter: 'drinks of user' },
  { column: 'tap_id', counter: 'drinks of tap' },
] as const satisfies readonly { column: string; counter: CountedList }[];

/**
 * A page of drinks with any filters. Its total is exact for one filter and for two of user, keg and session;
 * else it is counted up to `maxCounted`.
 */
export function drinkPage(store: Store, query: DrinkQuery): Page<Drink> {
  const { start, limit, isValid = true, username, kegId, sessionId, tapId, sinceMs, untilMs } = query;
  const page = { ...(start === undefined ? {} : { start }), ...(limit === undefined ? {} : { limit }) };
  const user = username === undefined ? null : store.users.byName(username);
  if (username !== undefined && user === null) return readPage(page, 0, () => []);
  requireExists('session', sessionId, store.sessions.byId);
  requireExists('keg', kegId, store.kegs.byId);
  requireExists('tap', tapId, store.taps.byId);
  const ids = { session_id: sessionId, keg_id: kegId, user_id: user?.id, tap_id: tapId };
  const filters = listFilters.flatMap(({ column, counter }) => {
    const value = ids[column];
    return value === undefined ? [] : [{ column, counter, value }];
  });
  const listFilter = toListFilter(filters, { isValid, sinceMs, untilMs });
  const isTimed = sinceMs !== undefined || untilMs !== undefined;
  const pair = isValid && !isTimed ? countedPair(store, filters) : null;
  const total = () => {
    const [first, second] = filters;
    if (first === undefined && !isTimed) return store.counters.read(isValid ? 'drinks' : 'held_drinks');
    if (first === undefined && isValid)
      return store.drinks.countBetween({ ...listFilter, scan: { is_valid: 1 } });
    if (first !== undefined && second === undefined && !isTimed && isValid) {
      return store.listCounters.read(first.counter, first.value);
    }
    return pair ?? store.drinks.count(listFilter);
  };
  // With a known count the scan stops there: a keg has thousands of other drinks.
  const maxRows = pair ?? Number.MAX_SAFE_INTEGER;
  return withMinimumTotal(
    readPage(page, total(), (from, count) =>
      store.drinks.filteredPage(listFilter, from, Math.min(count, maxRows)),
    ),
  );
}

/** A page of one keg's drinks; `not_found` for an unknown keg. */
export function kegDrinkPage(store: Store, kegId: number, page: PageRequest): Page<Drink> {
  requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  return drinkPage(store, { ...page, kegId });
}

/**
 * Count for a pair of filters from the statistics; null when they do not have it or must be updated first.
 */
function countedPair(
  store: Store,
  filters: readonly { readonly column: string; readonly value: number }[],
): number | null {
  const { statistics } = store;
  const [session, keg, user] = ['session_id', 'keg_id', 'user_id'].map(
    (name) => filters.find(({ column }) => column === name)?.value,
  );
  const pair = keg === undefined ? 'su' : user === undefined ? 'sk' : 'ku';
  const [subject, part] = { su: [session, user], sk: [session, keg], ku: [keg, user] }[pair];
  if (filters.length !== 2 || subject === undefined || part === undefined || statistics.isStale())
    return null;
  if (statistics.pendingCount() > maxWaiting) return null;
  const isMatch = (drink: PendingDrink) =>
    (session === undefined || drink.sessionId === session) &&
    (keg === undefined || drink.kegId === keg) &&
    (user === undefined || drink.userId === user);
  return (
    (statistics.share(pair, subject, part)?.pours ?? 0) + statistics.pendingDrinks().filter(isMatch).length
  );
}

function toListFilter(
  filters: readonly { readonly column: (typeof listFilters)[number]['column']; readonly value: number }[],
  rest: { isValid: boolean; sinceMs: number | undefined; untilMs: number | undefined },
): ListFilter {
  const [first, ...others] = filters;
  const validity = { is_valid: Number(rest.isValid) };
  const scan = Object.fromEntries(others.map(({ column, value }) => [column, value]));
  // Drinks with a keg or session are never held, so those indexes leave that column out.
  const isAlwaysValid = first?.column === 'session_id' || first?.column === 'keg_id';
  const seek = first === undefined ? {} : { [first.column]: first.value };
  return {
    seek: isAlwaysValid ? seek : { ...seek, ...validity },
    scan: isAlwaysValid ? { ...scan, ...validity } : scan,
    ...(rest.sinceMs === undefined ? {} : { sinceMs: rest.sinceMs }),
    ...(rest.untilMs === undefined ? {} : { untilMs: rest.untilMs }),
  };
}

/** Refuses a filter by an unknown object. */
export function requireExists(field: string, id: number | undefined, byId: (id: number) => unknown): void {
  if (id !== undefined && byId(id) === null) throw validationError(field, `must be the id of a ${field}`);
}
