import Type from 'typebox';
import { KegError } from '../../../core/keg-error.ts';
import type { User } from '../../../core/ledger.ts';
import type { Engine } from '../../../engine/engine.ts';
import { Instant, readSpan } from '../../instants.ts';
import { defineRoute } from '../../route.ts';
import { Closed, Id, Maybe, Nullable, Open, TapRef } from '../../schemas.ts';
import { SessionJson, sessionJson } from './diary-views.ts';
import { PagingJson, pageFields, pageOf, pagingJson } from './paging.ts';
import { UserJson, userJson } from './people-views.ts';
import { DrinkJson, drinkJson, KegJson, kegJson } from './views.ts';

/** A page of drinks. */
export const DrinkPageJson = Closed({ paging: PagingJson, drinks: Type.Array(DrinkJson) });

/** Longer than any username; such a name is nobody's. */
export const UsernameFilter = Type.String({ maxLength: 128, description: 'Only this user’s, by username.' });

export const listDrinks = defineRoute({
  id: 'listDrinks',
  method: 'get',
  path: '/drinks',
  summary: 'Drinks, the newest first',
  access: 'viewer',
  accepts: {
    query: Open({
      ...pageFields,
      user: Maybe(UsernameFilter),
      keg: Maybe(Id),
      session: Maybe(Id),
      tap: Maybe(TapRef),
      since: Maybe(Instant),
      until: Maybe(Instant),
      is_valid: Maybe(
        Type.Boolean({ description: 'False shows staff the pours that are held for review; default true.' }),
      ),
    }),
  },
  replies: { status: 200, body: DrinkPageJson },
  run({ engine, user: asker }, { query }) {
    const { is_valid: isValid = true, user, keg, session, tap, since, until } = query;
    if (!isValid) mustBeStaff(asker);
    const page = engine.lists.drinks({
      ...pageOf(query),
      ...readSpan({ ...(since ? { since } : {}), ...(until ? { until } : {}) }),
      isValid,
      ...(user === undefined ? {} : { username: user }),
      ...(keg === undefined ? {} : { kegId: keg }),
      ...(session === undefined ? {} : { sessionId: session }),
      ...(tap === undefined ? {} : { tapId: tapId(engine, tap) }),
    });
    return { paging: pagingJson(page), drinks: page.items.map(drinkJson) };
  },
});

export const getDrink = defineRoute({
  id: 'getDrink',
  method: 'get',
  path: '/drinks/{id}',
  summary: 'One drink with its keg, drinker and session',
  access: 'viewer',
  accepts: { params: Open({ id: Id }) },
  replies: {
    status: 200,
    body: Closed({
      drink: DrinkJson,
      keg: Nullable(KegJson),
      user: Nullable(UserJson),
      session: Nullable(SessionJson),
    }),
  },
  run({ engine, user: asker }, { params }) {
    const found = engine.drinks.get(params.id);
    // A held pour is nobody's business but the staff's, even that there is one.
    if (!found || !(found.drink.isValid || isStaff(asker))) {
      throw new KegError('not_found', `There is no drink ${params.id}.`);
    }
    const { drink, keg, user, session } = found;
    return {
      drink: drinkJson(drink),
      keg: keg && kegJson(keg),
      user: user && userJson(user),
      session: session && sessionJson(session),
    };
  },
});

const isStaff = (user: User | null): boolean => user !== null && (user.isStaff || user.isSuperuser);

function mustBeStaff(user: User | null): void {
  if (user === null) throw new KegError('no_key', 'Held pours are shown to staff: send a staff key.');
  if (!isStaff(user)) throw new KegError('not_allowed', 'Held pours are shown to staff only.');
}

function tapId(engine: Engine, ref: string): number {
  const found = engine.taps.find(ref);
  if (found) return found.tap.id;
  const allowed = 'must be the id of a tap or the name of its meter';
  throw new KegError('invalid_request', `tap ${allowed}.`, { fields: { tap: allowed } });
}
