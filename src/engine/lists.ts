import type { Beverage, Drink, Keg, KegState, Producer, Session, ThermoLog, User } from '../core/records.ts';
import type { SystemEvent } from '../core/system-events.ts';
import type { BeverageFilter } from '../store/kegs/beverages-table.ts';
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
import { type Page, type PageRequest, readPage } from './shared/paging.ts';
import type { EngineParts } from './shared/parts.ts';

/** Long lists by page, ids descending. Absent filters do not filter. */
export function createLists({ store }: EngineParts) {
  const { beverages, producers } = store.kegs;
  const { sessions } = store.drinks;
  return {
    drinks: (query: DrinkQuery): Page<Drink> => drinkPage(store, query),

    /** `not_found` for an unknown keg; also for its sessions. */
    drinksOfKeg: (kegId: number, page: PageRequest): Page<Drink> => kegDrinkPage(store, kegId, page),
    sessionsOfKeg: (kegId: number, page: PageRequest): Page<Session> => kegSessionPage(store, kegId, page),

    kegs: (query: PageRequest & { readonly state?: KegState | 'offline' }): Page<Keg> =>
      kegPage(store, query),
    sessions: (query: SessionQuery): Page<Session> => sessionPage(store, query),
    hasSessions: (): boolean => sessions.newest() !== null,
    events: (query: EventQuery): Page<SystemEvent> => eventPage(store, query),
    event: (id: number): SystemEvent | null => store.drinks.events.byId(id),
    thermoLogs: (query: ThermoLogQuery): Page<ThermoLog> => thermoLogPage(store, query),
    beverages: (query: PageRequest & BeverageFilter): Page<Beverage> =>
      readPage(query, beverages.count(query), (slice) => beverages.page(slice, query)),
    producers: ({ search, ...page }: PageRequest & { readonly search?: string }): Page<Producer> =>
      readPage(page, producers.count(search), (slice) => producers.page(slice, search)),
    producer: (id: number): Producer | null => producers.byId(id),
    users: (query: PageRequest & UserFilter): Page<User> => userPage(store, query),
  };
}

function userPage(store: Store, query: PageRequest & UserFilter): Page<User> {
  return readPage(query, store.users.count(query), (slice) => store.users.page(query, slice));
}

function kegPage(
  store: Store,
  { state, ...page }: PageRequest & { readonly state?: KegState | 'offline' },
): Page<Keg> {
  const { kegs } = store;
  if (state === undefined) return readPage(page, kegs.countAll(), kegs.page);
  if (state === 'offline') return readPage(page, kegs.countAll() - kegs.count('on_tap'), kegs.pageOffline);
  return readPage(page, kegs.count(state), (slice) => kegs.pageByState(state, slice));
}
