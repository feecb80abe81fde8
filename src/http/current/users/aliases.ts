import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { User } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, named, Open } from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';
import { NewUsername } from './login.ts';
import { UserParams } from './user-views.ts';

const AliasJson = named(
  'Alias',
  Closed(
    { username: Type.String({ maxLength: 30, description: 'The other name, as it was written.' }) },
    { description: 'A name besides the present one that identifies a user.' },
  ),
);

const aliasJson = (username: string): Static<typeof AliasJson> => ({ username });

/** Other names of users, which they had before or were given. */
export const aliasRoutes: readonly Route[] = [
  defineRoute({
    id: 'listAliases',
    method: 'get',
    path: '/users/{username}/aliases',
    summary: 'List the aliases of a user: names besides the present one',
    description:
      'A rename keeps the name before as an alias, so that controllers may go on sending it. At most ten, by name.',
    access: 'staff',
    accepts: { params: UserParams },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        aliases: Type.Array(AliasJson, { description: 'All aliases, by name.' }),
      }),
    },
    run({ engine }, { params: { username } }) {
      const aliases = engine.users.aliases(requireUser(engine, username)).map(aliasJson);
      return { paging: wholeListPaging(aliases), aliases };
    },
  }),
  defineRoute({
    id: 'addAlias',
    method: 'post',
    path: '/users/{username}/aliases',
    summary: 'Give a user an alias, such as one that was removed before',
    description:
      'The alias identifies the user like the present name. A name that another user has is a 400; the eleventh alias is ' +
      'a 409. Written to the audit log.',
    access: 'superuser',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params: UserParams, body: Closed({ username: NewUsername }) },
    errors: { conflict: ['too_many_aliases'] },
    replies: { status: 201, body: Closed({ alias: AliasJson }) },
    run(context, { params: { username }, body }) {
      const { engine, now } = context;
      const user = requireUser(engine, username);
      return { alias: aliasJson(engine.users.addAlias(user, body.username, requestActor(context), now)) };
    },
  }),
  defineRoute({
    id: 'removeAlias',
    method: 'delete',
    path: '/users/{username}/aliases/{alias}',
    summary: 'Remove an alias of a user. Others may take the name then',
    description:
      'Drinks that were attributed by the alias stay with the user; pours reported under it from now on have no user. 404 ' +
      'when the user does not have the alias. `addAlias` undoes it. Written to the audit log.',
    access: 'superuser',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {
      params: Open({
        ...UserParams.properties,
        alias: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'The alias, in upper or lower case.',
        }),
      }),
    },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { username, alias } }) {
      const { engine, now } = context;
      engine.users.removeAlias(requireUser(engine, username), alias, requestActor(context), now);
      return {};
    },
  }),
];

function requireUser({ users }: Engine, username: string): User {
  const user = users.user(username);
  if (user) return user;
  throw new AppError('not_found', `There is no user “${username}”.`, { reason: { name: 'not_found' } });
}
