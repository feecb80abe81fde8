import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Drink } from '../../core/records.ts';
import type { TotalKind } from '../../store/drinks/drink-totals-table.ts';
import type { ListFilter, TimeRows } from '../../store/shared/paged-list.ts';
import type { Store } from '../../store/store.ts';
import { hasTimeSpan, readPage, requireFound, validationError, withMinimumTotal } from '../shared/bounds.ts';
import type { Page, PageRequest, TimeSpan } from '../shared/views.ts';

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
 * Filters, the most selective first: sessions and kegs end, a user's drinks grow without limit. The first one
 * given uses its index.
 */
const listFilters = [
  { column: 'session_id', kind: 'session' },
  { column: 'keg_id', kind: 'keg' },
  { column: 'user_id', kind: 'user' },
  { column: 'tap_id', kind: 'tap' },
] as const satisfies readonly { column: string; kind: TotalKind }[];

/**
 * A page of drinks with any filters. Its total is exact for one filter and for two of user, keg and session;
 * else it is counted up to `maxCounted`.
 */
export function drinkPage(store: Store, query: DrinkQuery): Page<Drink> {
  const { isValid = true, username, kegId, sessionId, tapId } = query;
  const user = username === undefined ? null : store.users.byName(username);
  if (username !== undefined && user === null) return readPage(query, 0, () => []);
  requireExists('session', sessionId, store.sessions.byId);
  requireExists('keg', kegId, store.kegs.byId);
  requireExists('tap', tapId, store.taps.byId);
  const ids = { session_id: sessionId, keg_id: kegId, user_id: user?.id, tap_id: tapId };
  const filters = listFilters.flatMap(({ column, kind }) => {
    const value = ids[column];
    return value === undefined ? [] : [{ column, kind, value }];
  });
  const time = hasTimeSpan(query) ? store.drinks.between(query, isValid) : null;
  const listFilter = toListFilter(filters, { isValid, time });
  const pair = isValid && time === null ? countPair(store, filters) : null;
  const total = () => {
    const [first, second] = filters;
    if (first === undefined && time !== null) return time.total;
    if (first === undefined) return isValid ? store.drinkTotals.pours('site') : store.drinks.heldCount();
    if (second === undefined && time === null && isValid) {
      return store.drinkTotals.pours(first.kind, first.value);
    }
    return pair ?? store.drinks.count(listFilter);
  };
  // With a known count the scan stops there: a keg has thousands of other drinks.
  const maxRows = pair ?? Number.MAX_SAFE_INTEGER;
  return withMinimumTotal(
    readPage(query, total(), (from, count) =>
      store.drinks.filteredPage(listFilter, from, Math.min(count, maxRows)),
    ),
  );
}

/** A page of one keg's drinks; `not_found` for an unknown keg. */
export function kegDrinkPage(store: Store, kegId: number, page: PageRequest): Page<Drink> {
  requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  return drinkPage(store, { ...page, kegId });
}

/** Number of drinks for two of session, keg and user; null for other filters. */
function countPair(
  store: Store,
  filters: readonly { readonly column: (typeof listFilters)[number]['column']; readonly value: number }[],
): number | null {
  const pair = filters.flatMap(({ column, value }) => (column === 'tap_id' ? [] : [{ column, value }]));
  const [first, second] = pair;
  if (filters.length !== 2 || first === undefined || second === undefined) return null;
  return store.drinks.countPair([first, second]);
}

function toListFilter(
  filters: readonly { readonly column: (typeof listFilters)[number]['column']; readonly value: number }[],
  rest: { isValid: boolean; time: TimeRows | null },
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
    ...omitUndefined({ time: rest.time ?? undefined }),
  };
}

/** Refuses a filter by an unknown object. */
export function requireExists(field: string, id: number | undefined, byId: (id: number) => unknown): void {
  if (id !== undefined && byId(id) === null) throw validationError(field, `must be the id of a ${field}`);
}
