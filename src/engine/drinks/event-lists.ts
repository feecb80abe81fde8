import { calendarSpan } from '../../core/clock/local-days.ts';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Session, ThermoLog } from '../../core/records.ts';
import type { SystemEvent, SystemEventKind } from '../../core/system-events.ts';
import type { Store } from '../../store/store.ts';
import { hasTimeSpan, requireFound, validationError } from '../shared/bounds.ts';
import { type Page, type PageRequest, readPage, withMinimumTotal } from '../shared/paging.ts';
import type { TimeSpan } from '../shared/views.ts';
import { requireExists } from './drink-lists.ts';

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

const startOf = ({ startTimeMs }: Session): number => startTimeMs;

/** A page of sessions. A date that does not exist gives an empty list. */
export function sessionPage(store: Store, query: SessionQuery): Page<Session> {
  const { year, month, day } = query;
  const { sessions } = store.drinks;
  if (year === undefined) {
    if (month !== undefined) throw validationError('month', 'needs a year');
    return readPage(query, sessions.count(), (slice) => sessions.page({}, slice), startOf);
  }
  const date = {
    year,
    ...(month === undefined ? {} : { month, ...omitUndefined({ day }) }),
  };
  const span = calendarSpan(date, store.site.read().timeZone);
  if (span === null) return readPage(query, 0, () => []);
  const time = sessions.between(span);
  return readPage(query, time.total, (slice) => sessions.page({ time }, slice), startOf);
}

/** A page of the sessions of a keg; `not_found` for an unknown keg. */
export function kegSessionPage(store: Store, kegId: number, page: PageRequest): Page<Session> {
  requireFound(store.kegs.byId(kegId), `keg ${kegId}`);
  return readPage(page, store.drinks.sessions.countByKeg(kegId), (slice) =>
    store.drinks.sessions.byKeg(kegId, slice),
  );
}

/** The most selective first: it uses an index. */
const eventFilters = ['session_id', 'keg_id', 'user_id', 'kind'] as const;

/** A page of the events feed. Its total is exact for at most one filter, else counted up to `maxCounted`. */
export function eventPage(store: Store, query: EventQuery): Page<SystemEvent> {
  const { events } = store.drinks;
  const { since, kind, username, kegId } = query;
  const sessionId =
    query.sessionId === undefined ? undefined : store.drinks.sessions.survivorId(query.sessionId);
  const user = username === undefined ? null : store.users.byName(username);
  if (username !== undefined && user === null) return readPage(query, 0, () => []);
  requireExists('session', sessionId, store.drinks.sessions.byId);
  requireExists('keg', kegId, store.kegs.byId);
  const values = { session_id: sessionId, keg_id: kegId, user_id: user?.id, kind };
  const [seek = {}, ...scan] = eventFilters.flatMap((column) => {
    const value = values[column];
    return value === undefined ? [] : [{ [column]: value }];
  });
  const filter = {
    seek,
    scan: Object.assign({}, ...scan),
    ...omitUndefined({ aboveId: since }),
  };
  const isFiltered = Object.keys(seek).length > 0;
  const total = () => {
    if (scan.length > 0 || (since !== undefined && isFiltered)) return events.count(filter);
    if (since !== undefined) return events.countAbove(since);
    return events.countBy(seek);
  };
  return withMinimumTotal(
    readPage(
      query,
      total(),
      (slice) => events.page(filter, slice),
      ({ timeMs }) => timeMs,
    ),
  );
}

/** A page of readings, last received first. */
export function thermoLogPage(store: Store, query: ThermoLogQuery): Page<ThermoLog> {
  const thermo = store.temperatures;
  const { sensorId } = query;
  const seek = sensorId === undefined ? {} : { sensor_id: sensorId };
  if (!hasTimeSpan(query)) {
    return readPage(query, thermo.count(sensorId), (slice) => thermo.page({ seek }, slice));
  }
  const time = thermo.between(query, sensorId);
  return readPage(query, time.total, (slice) => thermo.page({ seek, time }, slice));
}
