import Type from 'typebox';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, named, Open, TotalMl } from '../../routes/schemas.ts';
import { SessionJson, sessionJson } from '../shared/event-views.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';

const params = Open({
  username: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Username, in upper or lower case; or a name that the user had before.',
  }),
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

/** Sessions of a user. */
export const drinkerFigureRoutes: readonly Route[] = [listUserSessions];
