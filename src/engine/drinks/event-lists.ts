import { calendarSpan } from '../../core/clock/local-days.ts';
import type { Session, SystemEvent, SystemEventKind, ThermoLog } from '../../core/records.ts';
import type { CountedList } from '../../store/shared/list-counters-table.ts';
import type { Store } from '../../store/store.ts';
import { readPage, requireFound, validationError, withMinimumTotal } from '../shared/bounds.ts';
import type { Page, PageRequest } from '../shared/views.ts';
import { requireExists, type TimeSpan } from './drink-lists.ts';

/** Sessions that began in a year, month or day of the site's zone. */
export interface SessionQuery extends PageRequest {
  readonly year?: number;
  /** Only with a year. */
  readonly month?: number;
  /** Used only with a month. */
  readonly day?: number;
}

/** Filters for the events feed. */
export interface EventQuery extends PageRequest {
  /** Only ids above this one. */
  readonly since?: number;
  readonly kind?: SystemEventKind;
  readonly username?: string;
  readonly kegId?: number;
  readonly sessionId?: number;
}

/** Filters for temperature readings. */
export interface ThermoLogQuery extends PageRequest, TimeSpan {
  readonly sensorId?: number;
}

/** A page of sessions. A date that does not exist gives an empty list. */
export function sessionPage(store: Store, { year, month, day, ...page }: SessionQuery): Page<Session> {
  if (year === undefined) {
    if (month !== undefined) throw validationError('month', 'needs a year');
    return readPage(page, store.listCounters.read('sessions'), (from, limit) =>
      store.sessions.page({}, from, limit),
    );
  }
  const date = {
    year,
    ...(month === undefined ? {} : { month, ...(day === undefined ? {} : { day }) }),
  };
  const span = calendarSpan(date, store.site.read().timeZone);
  if (span === null) return readPage(page, 0, () => []);
  return readPage(page, store.sessions.countBetween(span), (from, limit) =>
    store.sessions.page(span, from, limit),
  );
}

/** A page of the sessions of a keg; `not_found` for an unknown keg. */
export function kegSessionPage(store: Store, kegId: number, page: PageRequest): Page<Session> {
  requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  return readPage(page, store.listCounters.read('sessions of keg', kegId), (from, limit) =>
    store.sessions.byKeg(kegId, from, limit),
  );
}

/** The most selective first: it uses an index. */
const eventFilters = [
  { column: 'session_id', counter: 'events of session' },
  { column: 'keg_id', counter: 'events of keg' },
  { column: 'user_id', counter: 'events of user' },
  { column: 'kind', counter: 'events of kind' },
] as const satisfies readonly { column: string; counter: CountedList }[];

/** A page of the events feed. Its total is exact for at most one filter, else counted up to `maxCounted`. */
export function eventPage(store: Store, query: EventQuery): Page<SystemEvent> {
  const { since, kind, username, kegId, sessionId, ...page } = query;
  const user = username === undefined ? null : store.users.byName(username);
  if (username !== undefined && user === null) return readPage(page, 0, () => []);
  requireExists('session', sessionId, store.sessions.byId);
  requireExists('keg', kegId, store.kegs.byId);
  const values = { session_id: sessionId, keg_id: kegId, user_id: user?.id, kind };
  const filters = eventFilters.flatMap(({ column, counter }) => {
    const value = values[column];
    return value === undefined ? [] : [{ column, counter, value }];
  });
  const [first, ...others] = filters;
  const listFilter = {
    seek: first === undefined ? {} : { [first.column]: first.value },
    scan: Object.fromEntries(others.map(({ column, value }) => [column, value])),
    ...(since === undefined ? {} : { aboveId: since }),
  };
  const total = () => {
    if (since !== undefined && first === undefined) return store.events.countAbove(since);
    if (since !== undefined || others.length > 0) return store.events.count(listFilter);
    return first === undefined
      ? store.listCounters.read('events')
      : store.listCounters.read(first.counter, first.value);
  };
  return withMinimumTotal(
    readPage(page, total(), (from, limit) => store.events.page(listFilter, from, limit)),
  );
}

/** A page of readings, last received first. */
export function thermoLogPage(store: Store, query: ThermoLogQuery): Page<ThermoLog> {
  const { sensorId, sinceMs, untilMs, ...page } = query;
  const listFilter = {
    seek: sensorId === undefined ? {} : { sensor_id: sensorId },
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(untilMs === undefined ? {} : { untilMs }),
  };
  const total = () => {
    if (sinceMs === undefined && untilMs === undefined) {
      return sensorId === undefined
        ? store.listCounters.read('thermo logs')
        : store.listCounters.read('thermo logs of sensor', sensorId);
    }
    return sensorId === undefined ? store.thermo.countBetween(listFilter) : store.thermo.count(listFilter);
  };
  return readPage(page, total(), (from, limit) => store.thermo.page(listFilter, from, limit));
}
