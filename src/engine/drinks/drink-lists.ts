import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Drink } from '../../core/records.ts';
import { toUsernameKey } from '../../core/users/username-rules.ts';
import type { TotalKind } from '../../store/drinks/drink-totals-table.ts';
import type { ListFilter, TimeRows } from '../../store/shared/paged-list.ts';
import type { Store } from '../../store/store.ts';
import { hasTimeSpan, requireFound, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage, withMinimumTotal } from '../shared/paging.ts';
import type { TimeSpan } from '../shared/views.ts';
import { normalizeTokenText } from '../users/resolve-user.ts';

/** Filters for drinks; absent ones do not filter. */
export interface DrinkQuery extends PageRequest, TimeSpan {
  /** False lists held ones; default true. */
  readonly isValid?: boolean;
  /** An unknown name gives an empty list. */
  readonly username?: string;
  /** Only drinks without a user. */
  readonly isUnattributed?: boolean;
  /** The name sent with the pour, compared like usernames. */
  readonly claimedUsername?: string;
  /** The token sent with the pour; only drinks without a user. */
  readonly authToken?: string;
  readonly kegId?: number;
  readonly sessionId?: number;
  readonly tapId?: number;
}

/**
 * Filters, the most selective first: sessions and kegs end, a user's drinks grow without limit. The first one
 * given uses its index. A user of null: drinks without a user.
 */
const listFilters = [
  { column: 'session_id', kind: 'session' },
  { column: 'keg_id', kind: 'keg' },
  { column: 'auth_token', kind: null },
  { column: 'claimed_username_key', kind: null },
  { column: 'user_id', kind: 'user' },
  { column: 'tap_id', kind: 'tap' },
] as const satisfies readonly { column: string; kind: TotalKind | null }[];

interface Filter {
  readonly column: (typeof listFilters)[number]['column'];
  readonly kind: TotalKind | null;
  readonly value: number | string | null;
}

/**
 * A page of drinks with any filters. Its total is exact for one filter, for two of user, keg and session, and for what was
 * sent with pours without a user; else it is counted up to `maxCounted`.
 */
export function drinkPage(store: Store, query: DrinkQuery): Page<Drink> {
  const { isValid = true, username, kegId, tapId, claimedUsername, authToken } = query;
  const sessionId =
    query.sessionId === undefined ? undefined : store.drinks.sessions.survivorId(query.sessionId);
  const isUnattributed = query.isUnattributed === true || authToken !== undefined;
  const user = username === undefined ? null : store.users.byName(username);
  if (username !== undefined && (user === null || isUnattributed)) return readPage(query, 0, () => []);
  requireExists('session', sessionId, store.drinks.sessions.byId);
  requireExists('keg', kegId, store.kegs.byId);
  requireExists('tap', tapId, store.taps.byId);
  const values = {
    session_id: sessionId,
    keg_id: kegId,
    auth_token: authToken === undefined ? undefined : normalizeTokenText(authToken),
    claimed_username_key: claimedUsername === undefined ? undefined : toUsernameKey(claimedUsername),
    user_id: isUnattributed ? null : user?.id,
    tap_id: tapId,
  };
  const filters = listFilters.flatMap(({ column, kind }): readonly Filter[] => {
    const value = values[column];
    return value === undefined ? [] : [{ column, kind, value }];
  });
  const time = hasTimeSpan(query) ? store.drinks.between(query, isValid) : null;
  const listFilter = toListFilter(filters, { isValid, time });
  const readFilter = query.order === 'time' ? toTimeOrder(store, listFilter) : listFilter;
  const pair = isValid && time === null ? countPair(store, filters) : null;
  const total = () => {
    const [first, second] = filters;
    if (first === undefined && time !== null) return time.total;
    if (first === undefined) return isValid ? store.drinks.totals.pours('site') : store.drinks.heldCount();
    const { kind, value } = first;
    if (second === undefined && time === null && isValid && kind !== null) {
      return store.drinks.totals.pours(kind, Number(value ?? 0));
    }
    if (time === null && isCountedByIndex(filters)) return store.drinks.countBy(listFilter);
    return pair ?? store.drinks.count(listFilter);
  };
  // With a known count the scan stops there: a keg has thousands of other drinks.
  const maxRows = pair ?? Number.MAX_SAFE_INTEGER;
  return withMinimumTotal(
    readPage(
      query,
      total(),
      (slice) => store.drinks.filteredPage(readFilter, { ...slice, limit: Math.min(slice.limit, maxRows) }),
      ({ pourTimeMs }) => pourTimeMs,
    ),
  );
}

/** A page of one keg's drinks; `not_found` for an unknown keg. */
export function kegDrinkPage(store: Store, kegId: number, page: PageRequest): Page<Drink> {
  requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  return drinkPage(store, { ...page, kegId });
}

/** Whether the index of the first filter contains all others: a name or token sent with a pour, and the user. */
const isCountedByIndex = ([first, ...others]: readonly Filter[]): boolean =>
  first?.kind === null && others.every(({ column }) => column === 'user_id');

/** Number of drinks for two of session, keg and user; null for other filters. */
function countPair(store: Store, filters: readonly Filter[]): number | null {
  const pair = filters.flatMap(({ column, value }) =>
    typeof value === 'number' && (column === 'session_id' || column === 'keg_id' || column === 'user_id')
      ? [{ column, value }]
      : [],
  );
  const [first, second] = pair;
  if (filters.length !== 2 || first === undefined || second === undefined) return null;
  return store.drinks.countPair([first, second]);
}

function toListFilter(
  filters: readonly Filter[],
  rest: { isValid: boolean; time: TimeRows | null },
): ListFilter {
  const first = filters[0]?.column;
  // The index of tokens contains only drinks without a user.
  const isSought = ({ column }: Filter) =>
    column === first || (first === 'auth_token' && column === 'user_id');
  const toValues = (some: readonly Filter[]) =>
    Object.fromEntries(some.map(({ column, value }) => [column, value]));
  const seek = toValues(filters.filter(isSought));
  const scan = toValues(filters.filter((filter) => !isSought(filter)));
  const validity = { is_valid: Number(rest.isValid) };
  // Drinks with a keg or session are never held, so those indexes leave that column out.
  const isAlwaysValid = first === 'session_id' || first === 'keg_id';
  return {
    seek: isAlwaysValid ? seek : { ...seek, ...validity },
    scan: isAlwaysValid ? { ...scan, ...validity } : scan,
    ...omitUndefined({ time: rest.time ?? undefined }),
  };
}

/** From so many drinks without a user on, one among the latest drinks is found sooner than they are sorted by time. */
const manyUnattributed = 5_000;

/**
 * The filter for reading in the order of time. Drinks of a session, keg or user are sorted, those of a tap have an index;
 * drinks without a user are too many for the one and not worth the other.
 */
function toTimeOrder(store: Store, filter: ListFilter): ListFilter {
  const { user_id: userId, ...seek } = filter.seek ?? {};
  const areMany = userId === null && store.drinks.totals.pours('user', 0) >= manyUnattributed;
  const isOnlyFilter = Object.keys(seek).join() === 'is_valid' && seek.is_valid === 1;
  return areMany && isOnlyFilter ? { ...filter, seek, scan: { ...filter.scan, user_id: null } } : filter;
}

/** Refuses a filter by an unknown object. */
export function requireExists(field: string, id: number | undefined, byId: (id: number) => unknown): void {
  if (id !== undefined && byId(id) === null) throw validationError(field, `must be the id of a ${field}`);
}
