import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, requestActor, requireSiteAddress } from '../../routes/route-context.ts';
import { Closed, Id, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest, wholeListPaging } from '../shared/paging.ts';
import { EndKeys, KeyJson, keyJson } from './account.ts';
import { LoginJson, loginJson } from './own-logins.ts';
import { UserParams } from './user-views.ts';

const staff = { access: 'staff' } as const;
const superusersOnly = ['superusers_only'] as const;

/** Logins, PIN and e-mail address of another person, for staff; those of staff, and API keys, for superusers. */
export const accountHelpRoutes: readonly Route[] = [
  defineRoute({
    ...staff,
    id: 'listUserLogins',
    method: 'get',
    path: '/users/{username}/logins',
    summary: 'List the logins of a user, newest first',
    description:
      'Each browser has a login of its own. Ended and expired ones are not listed. Only superusers see those of staff and superusers (403).',
    accepts: { params: UserParams },
    errors: { not_allowed: superusersOnly },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        logins: Type.Array(LoginJson, { description: 'Newest first.' }),
      }),
    },
    run(context, { params: { username } }) {
      const { engine, login, now } = context;
      const found = engine.users.accountHelp.logins(username, requestActor(context), now);
      const logins = found.map((one) => loginJson(one, login));
      return { paging: wholeListPaging(logins), logins };
    },
  }),
  defineRoute({
    ...staff,
    id: 'endUserLogins',
    method: 'delete',
    path: '/users/{username}/logins',
    summary: 'End all logins of a user',
    description:
      'Each of the browsers has to log in again; the login of this request stays. With `end_keys=true` all API keys are deleted too. Only superusers end those of staff and superusers (403). ' +
      'Cannot be undone. Written to the audit log.',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params: UserParams, query: Open({ end_keys: EndKeys }) },
    errors: { not_allowed: superusersOnly },
    replies: {
      status: 200,
      body: Closed({
        ended: Type.Integer({ minimum: 0, description: 'Number of logins that ended.' }),
        ended_keys: Type.Integer({ minimum: 0, description: 'Number of API keys that were deleted.' }),
      }),
    },
    run(context, { params: { username }, query: { end_keys: endsKeys = false } }) {
      const { engine, login, now } = context;
      const exceptLoginId = omitUndefined({ exceptLoginId: login ?? undefined });
      const input = { actor: requestActor(context), ...exceptLoginId, endsKeys };
      const { logins, keys } = engine.users.accountHelp.endLogins(username, input, now);
      return { ended: logins, ended_keys: keys };
    },
  }),
  defineRoute({
    id: 'listUserApiKeys',
    method: 'get',
    path: '/users/{username}/api-keys',
    summary: 'List the API keys of a user, newest first',
    description: 'With when and from where each was last used. The keys themselves are stored as hashes.',
    access: 'superuser',
    accepts: { params: UserParams, query: PageQuery },
    errors: { not_allowed: superusersOnly },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        api_keys: Type.Array(KeyJson, { description: 'The API keys of this page.' }),
      }),
    },
    run(context, { params: { username }, query }) {
      const { engine, addressWith } = context;
      const page = engine.users.accountHelp.keys(username, requestActor(context), toPageRequest(query));
      const owner = engine.users.user(username)!.username;
      return {
        paging: pagingJson(page, addressWith),
        api_keys: page.items.map((key) => keyJson(key, owner)),
      };
    },
  }),
  defineRoute({
    id: 'deleteUserApiKey',
    method: 'delete',
    path: '/users/{username}/api-keys/{id}',
    summary: 'Delete an API key of a user. Requests with it are refused from then on',
    description: 'Cannot be undone. 404 for a key of somebody else. Written to the audit log.',
    access: 'superuser',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params: Open({ ...UserParams.properties, id: Id }) },
    errors: { not_allowed: superusersOnly },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { username, id } }) {
      context.engine.users.accountHelp.removeKey(username, id, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'removeUserPin',
    method: 'delete',
    path: '/users/{username}/pin',
    summary: 'Delete the PIN of a user, who can choose another one then',
    description:
      'Succeeds when there is none. Only superusers delete the PIN of staff and superusers (403). Cannot be undone. Written to the audit log.',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params: UserParams },
    errors: { not_allowed: superusersOnly },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { username } }) {
      context.engine.users.accountHelp.removePin(username, requestActor(context), context.now);
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'requestUserEmailChange',
    method: 'post',
    path: '/users/{username}/email',
    summary: 'Mail a confirmation link to a new e-mail address of a user',
    description:
      'The present address stays until the user opens the link within a day, logged in. Needs a mail server and the site’s own address, ' +
      'otherwise 409; `changeUser` sets an address without confirmation. Only superusers do it for staff and superusers (403). Written to the audit log.',
    attempt: 'mail',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {
      params: UserParams,
      body: Closed({
        email: Type.String({ minLength: 3, maxLength: 254, description: 'New e-mail address.' }),
      }),
    },
    errors: { not_allowed: superusersOnly, conflict: ['no_mail', 'no_site_address'] },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { username }, body: { email } }) {
      const { engine, now } = context;
      const input = { actor: requestActor(context), email, siteUrl: requireSiteAddress(context) };
      engine.users.accountHelp.requestEmailChange(username, input, now);
      return {};
    },
  }),
];
