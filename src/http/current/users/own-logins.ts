import Type, { type Static } from 'typebox';
import { loginMethods, type OwnLogin } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, named, Open } from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

export const LoginJson = named(
  'Login',
  Closed(
    {
      id: Id,
      by: Type.Enum([...loginMethods], {
        description: 'How the login was opened.',
      }),
      user_agent: Type.String({ description: 'User-Agent of the browser; may be empty.' }),
      is_this: Type.Boolean({ description: 'True for the login of this request.' }),
      created_time: { ...IsoSeconds, description: 'UTC time at which it was opened.' },
      last_used_time: { ...IsoSeconds, description: 'UTC time of its last use, to the hour.' },
    },
    { description: 'A login of a browser.' },
  ),
);

const params = Open({ id: Id });

/** The requester's own logins. */
export const ownLoginRoutes: readonly Route[] = [
  defineRoute({
    id: 'listLogins',
    method: 'get',
    path: '/account/logins',
    summary: 'List your own logins, newest first',
    description: 'Each browser has a login of its own. Ended and expired ones are not listed.',
    access: 'member',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        logins: Type.Array(LoginJson, { description: 'Newest first.' }),
      }),
    },
    run({ engine, user, login, now }) {
      const logins = engine.users.logins.list(user!, now).map((one) => loginJson(one, login));
      return { paging: wholeListPaging(logins), logins };
    },
  }),
  defineRoute({
    id: 'endLogin',
    method: 'delete',
    path: '/account/logins/{id}',
    summary: 'End one of your own logins',
    description:
      'That browser has to log in again. 404 also for a login of somebody else. To end them all, change your ' +
      'password.',
    access: 'member',
    writesCredential: { proof: 'login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run({ engine, user }, { params: { id } }) {
      engine.users.logins.closeOwn(user!, id);
      return {};
    },
  }),
];

export const loginJson = (login: OwnLogin, currentLogin: number | null): Static<typeof LoginJson> => ({
  id: login.id,
  by: login.by,
  user_agent: login.browser,
  is_this: login.id === currentLogin,
  created_time: isoSeconds(login.createdTimeMs),
  last_used_time: isoSeconds(login.seenTimeMs),
});
