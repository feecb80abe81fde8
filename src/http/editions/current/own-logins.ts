import Type, { type Static } from 'typebox';
import type { OwnLogin } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, IsoSeconds, isoSeconds, named, Open } from '../../routes/schemas.ts';

const LoginJson = named(
  'Login',
  Closed({
    id: Id,
    by: Type.Enum(['password', 'registration', 'activation', 'setup'], { description: 'How one came in.' }),
    user_agent: Type.String({ description: 'What the browser called itself; may be empty.' }),
    is_this: Type.Boolean({ description: 'The login this was asked with.' }),
    created_time: IsoSeconds,
    /** To the hour: a login is not written down with every page. */
    last_used_time: IsoSeconds,
  }),
);

const params = Open({ id: Id });

/** Where one is logged in. */
export const ownLoginRoutes: readonly Route[] = [
  defineRoute({
    id: 'listLogins',
    method: 'get',
    path: '/account/logins',
    summary: 'Browsers on which one is logged in, the newest first',
    access: 'member',
    accepts: {},
    replies: { status: 200, body: Closed({ logins: Type.Array(LoginJson) }) },
    run: ({ engine, user, login, now }) => ({
      logins: engine.logins.list(user!, now).map((one) => loginJson(one, login)),
    }),
  }),
  defineRoute({
    id: 'endLogin',
    method: 'delete',
    path: '/account/logins/{id}',
    summary: 'Log out on one of one’s browsers',
    access: 'member',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run({ engine, user }, { params: { id } }) {
      engine.logins.closeOwn(user!, id);
      return {};
    },
  }),
];

const loginJson = (login: OwnLogin, currentLogin: number | null): Static<typeof LoginJson> => ({
  id: login.id,
  by: login.by,
  user_agent: login.browser,
  is_this: login.id === currentLogin,
  created_time: isoSeconds(login.createdTimeMs),
  last_used_time: isoSeconds(login.seenTimeMs),
});
