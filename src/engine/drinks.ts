import { KegError } from '../core/keg-error.ts';
import type { Drink } from '../core/ledger.ts';
import type { Moment } from '../core/moment.ts';
import type { Store } from '../store/store.ts';
import { found, maxVolumeMl, misfit, numberIn, readPage } from './bounds.ts';
import { charge, resettleKeg, resettleSession, takeSeat } from './charging.ts';
import { isNobody } from './drinkers.ts';
import { change, type EngineParts } from './parts.ts';
import { addSpill } from './pours.ts';
import type { DrinkView, Page, PageRequest } from './views.ts';

/** Corrections and readings of drinks. Every correction moves keg, session and events in the same transaction. */
export interface Drinks {
  get(id: number): DrinkView | null;
  /** Held drinks are not in it. */
  list(page: PageRequest): Page<Drink>;
  /** Newest first, held ones left out. */
  newest(count: number): readonly Drink[];
  /** Newest first, at most 1000: drinks that wait for staff to look at them. */
  held(): readonly Drink[];
  /** How many wait, all of them. */
  heldCount(): number;
  /** Gives the drink as it was, `isValid` false; with `spilled` its volume becomes the keg's loss. */
  cancel(id: number, options: { readonly spilled: boolean }, now: Moment): DrinkView;
  /** null un-assigns. */
  reassign(id: number, username: string | null): DrinkView;
  setVolume(id: number, volumeMl: number): DrinkView;
  /** A held drink becomes a real one, on the given tap and keg, or where it was poured. */
  keep(
    id: number,
    to: { readonly tapId?: number; readonly kegId?: number | null; readonly username?: string },
    now: Moment,
  ): DrinkView;
  /** A held drink is forgotten; its ticks stay in the meter's total. */
  discard(id: number): void;
  /** A drink is charged to another keg (or to none), with session and totals following. */
  moveToKeg(id: number, kegId: number | null): DrinkView;
}

/** Enough for a page of last drinks, and for a review that somebody has put off too long. */
const maxShown = 1_000;

export function createDrinks(parts: EngineParts): Drinks {
  const { store } = parts;
  const drink = (id: number): Drink => found(store.drinks.byId(id), `drink ${id}`);
  const view = (id: number): DrinkView => toView(store, drink(id));
  return {
    get(id) {
      const known = Number.isSafeInteger(id) ? store.drinks.byId(id) : null;
      return known === null ? null : toView(store, known);
    },
    list: (page) =>
      readPage(page, store.counters.read('drinks'), (from, limit) => store.drinks.page('valid', from, limit)),
    newest: (count) =>
      store.drinks.page(
        'valid',
        Number.MAX_SAFE_INTEGER,
        numberIn('limit', count, { min: 0, max: maxShown, whole: true }),
      ),
    held: () => store.drinks.page('held', Number.MAX_SAFE_INTEGER, maxShown),
    heldCount: () => store.counters.read('held_drinks'),

    cancel: (id, { spilled }, now) =>
      change(parts, () => {
        const asItWas = view(id);
        forget(store, asItWas.drink);
        if (spilled) {
          const { tapId, kegId, ticks, volumeMl, meter } = asItWas.drink;
          addSpill(store, { tapId, kegId, ticks, volumeMl, meter, pourId: null }, now);
        }
        resettle(store, asItWas.drink);
        return { ...asItWas, drink: { ...asItWas.drink, isValid: false } };
      }),

    reassign: (id, username) =>
      change(parts, () => {
        drink(id);
        const userId = isNobody(username) ? null : accountId(store, username);
        store.drinks.setUser(id, userId);
        store.events.setUser(id, userId);
        return view(id);
      }),

    setVolume(id, volumeMl) {
      const ml = numberIn('volume_ml', volumeMl, { min: 0, max: maxVolumeMl });
      return change(parts, () => {
        const before = drink(id);
        store.drinks.setVolume(id, ml);
        resettle(store, before);
        return view(id);
      });
    },

    keep: (id, to, now) =>
      change(parts, () => {
        if (now.synced) store.site.raiseNewestSynced(now.wallMs);
        const held = drink(id);
        if (held.isValid)
          throw new KegError('conflict', `Drink ${id} is not held; there is nothing to keep.`);
        const userId = isNobody(to.username ?? null)
          ? store.drinks.userId(id)
          : accountId(store, to.username!);
        const tapId = to.tapId ?? held.tapId ?? tapOfMeter(store, held.meter);
        const kegId = to.kegId === undefined ? kegOnTap(store, tapId) : to.kegId;
        if (tapId !== null) found(store.taps.byId(tapId), `tap ${tapId}`);
        if (kegId !== null) found(store.kegs.byId(kegId), `keg ${kegId}`);
        const { pourTimeMs: timeMs, volumeMl } = held;
        const seat = takeSeat(store, { timeMs, volumeMl });
        store.drinks.accept(id, { tapId, kegId, userId, sessionId: seat.sessionId });
        charge(store, { drinkId: id, kegId, userId, timeMs, volumeMl }, seat);
        if (kegId !== null) store.kegs.widen(kegId);
        return view(id);
      }),

    discard: (id) =>
      change(parts, () => {
        const held = drink(id);
        if (held.isValid) {
          throw new KegError('conflict', `Drink ${id} is not held: cancel it instead of discarding it.`);
        }
        forget(store, held);
      }),

    moveToKeg: (id, kegId) =>
      change(parts, () => {
        const before = drink(id);
        if (!before.isValid) {
          throw new KegError('conflict', `Drink ${id} is held: keep it first, on the keg you want.`);
        }
        if (kegId !== null) found(store.kegs.byId(kegId), `keg ${kegId}`);
        if (kegId === before.kegId) return view(id);
        store.drinks.setKeg(id, kegId);
        store.events.setKeg(id, kegId);
        if (before.kegId !== null) resettleKeg(store, before.kegId);
        if (kegId !== null) resettleKeg(store, kegId);
        return view(id);
      }),
  };
}

function toView(store: Store, drink: Drink): DrinkView {
  return {
    drink,
    keg: drink.kegId === null ? null : store.kegs.byId(drink.kegId),
    user: drink.username === null ? null : store.users.byName(drink.username),
    session: drink.sessionId === null ? null : store.sessions.byId(drink.sessionId),
  };
}

/** The row goes, with its events; its pour id stays known, so that a retry does not pour it again. */
function forget(store: Store, drink: Drink): void {
  if (drink.pourId !== null) store.drinks.rememberCancelled(drink.pourId, { ...drink, isValid: false });
  store.drinks.remove(drink.id);
}

function resettle(store: Store, drink: Drink): void {
  if (drink.kegId !== null) resettleKeg(store, drink.kegId);
  if (drink.sessionId !== null) resettleSession(store, drink.sessionId);
}

function accountId(store: Store, username: string): number {
  const user = store.users.byName(username);
  if (user === null) throw misfit('username', 'must be the name of an account');
  return user.id;
}

function tapOfMeter(store: Store, meter: string | null): number | null {
  return meter === null ? null : (store.meters.byName(meter)?.tapId ?? null);
}

function kegOnTap(store: Store, tapId: number | null): number | null {
  return tapId === null ? null : found(store.taps.byId(tapId), `tap ${tapId}`).kegId;
}
