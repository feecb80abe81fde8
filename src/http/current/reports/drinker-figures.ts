import Type from 'typebox';
import { paginate } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, named, Open, TextId, TotalMl } from '../../routes/schemas.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const params = Open({
  username: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Username, in upper or lower case; or a name that the user had before.',
  }),
});

const FavouriteJson = named(
  'FavouriteBeverage',
  Closed(
    {
      beverage_id: { ...TextId, description: 'Id of the beverage, as text.' },
      beverage_name: Type.String({ maxLength: 255, description: 'Name of the beverage.' }),
      volume_ml: { ...TotalMl, description: 'What the user drank of it, in millilitres.' },
    },
    { description: 'A beverage that a user drank.' },
  ),
);

const listUserBeverages = defineRoute({
  id: 'listUserBeverages',
  method: 'get',
  path: '/users/{username}/beverages',
  summary: 'List the beverages of which a user drank most',
  description:
    'At most 20 beverages with the volume that the user drank of each. `beverages` has them by descending volume; ' +
    'drinks without a keg are in none. 404 when there is no such user.',
  access: 'viewer',
  accepts: { params, query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      beverages: Type.Array(FavouriteJson, {
        description: 'The beverages of this page, the most drunk first.',
      }),
    }),
  },
  run({ engine, addressWith }, { params: { username }, query }) {
    const page = paginate(engine.reports.drinkerFigures.favourites(username), toPageRequest(query));
    const byVolume = page.items.toSorted((one, other) => other.volumeMl - one.volumeMl);
    return {
      paging: pagingJson(page, addressWith),
      beverages: byVolume.map(({ id, name, volumeMl }) => ({
        beverage_id: String(id),
        beverage_name: name,
        volume_ml: volumeMl,
      })),
    };
  },
});

const OwnSessionJson = named(
  'OwnSession',
  Closed(
    {
      session: SessionJson,
      own_volume_ml: { ...TotalMl, description: 'What the user drank in it, in millilitres.' },
    },
    { description: 'A session, and what a user drank in it.' },
  ),
);

const listUserSessions = defineRoute({
  id: 'listUserSessions',
  method: 'get',
  path: '/users/{username}/sessions',
  summary: 'List the sessions in which a user drank, newest first',
  description: 'Each with what the user drank in it. 404 when there is no such user.',
  access: 'viewer',
  accepts: { params, query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      sessions: Type.Array(OwnSessionJson, { description: 'The sessions of this page.' }),
    }),
  },
  run({ engine, addressWith }, { params: { username }, query }) {
    const page = engine.reports.drinkerFigures.sessions(username, toPageRequest(query));
    return {
      paging: pagingJson(page, addressWith),
      sessions: page.items.map(({ ownVolumeMl, ...session }) => ({
        session: sessionJson(session),
        own_volume_ml: ownVolumeMl,
      })),
    };
  },
});

/** Favourites and sessions of a user. */
export const drinkerFigureRoutes: readonly Route[] = [listUserBeverages, listUserSessions];
