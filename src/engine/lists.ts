import type {
  Beverage,
  Drink,
  Keg,
  KegState,
  Producer,
  Session,
  SystemEvent,
  ThermoLog,
  User,
} from '../core/records.ts';
import type { Store } from '../store/store.ts';
import type { UserFilter } from '../store/users/users-table.ts';
import { type DrinkQuery, drinkPage, kegDrinkPage } from './drinks/drink-lists.ts';
import {
  type EventQuery,
  eventPage,
  kegSessionPage,
  type SessionQuery,
  sessionPage,
  type ThermoLogQuery,
  thermoLogPage,
} from './drinks/event-lists.ts';
import { readPage } from './shared/bounds.ts';
import type { EngineParts } from './shared/parts.ts';
import type { Page, PageRequest } from './shared/views.ts';

/** Long lists by page, ids descending. Absent filters do not filter. */
export interface Lists {
  drinks(query: DrinkQuery): Page<Drink>;
  /** `not_found` for an unknown keg; also for its sessions. */
  drinksOfKeg(kegId: number, page: PageRequest): Page<Drink>;
  sessionsOfKeg(kegId: number, page: PageRequest): Page<Session>;
  kegs(query: PageRequest & { readonly state?: KegState | 'offline' }): Page<Keg>;
  sessions(query: SessionQuery): Page<Session>;
  hasSessions(): boolean;
  events(query: EventQuery): Page<SystemEvent>;
  event(id: number): SystemEvent | null;
  thermoLogs(query: ThermoLogQuery): Page<ThermoLog>;
  beverages(page: PageRequest): Page<Beverage>;
  producers(page: PageRequest): Page<Producer>;
  producer(id: number): Producer | null;
  users(query: PageRequest & UserFilter): Page<User>;
}

export function createLists({ store }: EngineParts): Lists {
  const { listCounters, beverages } = store;
  return {
    drinks: (query) => drinkPage(store, query),
    drinksOfKeg: (kegId, page) => kegDrinkPage(store, kegId, page),
    sessionsOfKeg: (kegId, page) => kegSessionPage(store, kegId, page),
    kegs: (query) => kegPage(store, query),
    sessions: (query) => sessionPage(store, query),
    hasSessions: () => listCounters.read('sessions') > 0,
    events: (query) => eventPage(store, query),
    event: (id) => store.events.byId(id),
    thermoLogs: (query) => thermoLogPage(store, query),
    beverages: (page) => readPage(page, listCounters.read('beverages'), beverages.page),
    producers: (page) => readPage(page, listCounters.read('producers'), store.producers.page),
    producer: (id) => store.producers.byId(id),
    users: (query) => userPage(store, query),
  };
}

function userPage(store: Store, { start, limit, ...filter }: PageRequest & UserFilter): Page<User> {
  const page = { ...(start === undefined ? {} : { start }), ...(limit === undefined ? {} : { limit }) };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  if (!isFiltered) return readPage(page, store.listCounters.read('users'), store.users.page);
  return readPage(page, store.users.filteredCount(filter), (from, count) =>
    store.users.filteredPage(filter, from, count),
  );
}

function kegPage(
  store: Store,
  { state, ...page }: PageRequest & { readonly state?: KegState | 'offline' },
): Page<Keg> {
  const { kegs } = store;
  const countKegs = (...states: readonly KegState[]) =>
    states.reduce((sum, one) => sum + store.counters.read(one), 0);
  if (state === undefined) return readPage(page, countKegs('available', 'on_tap', 'finished'), kegs.page);
  if (state === 'offline') return readPage(page, countKegs('available', 'finished'), kegs.pageOffline);
  return readPage(page, countKegs(state), (from, limit) => kegs.pageByState(state, from, limit));
}
