import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor, requireSiteAddress } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';
import { LoginJson, loginJson } from './own-logins.ts';
import { UserParams } from './user-views.ts';

const staff = { access: 'staff' } as const;
const superusersOnly = ['superusers_only'] as const;

/** Logins, PIN and e-mail address of another person, for staff; those of superusers for superusers. */
export const accountHelpRoutes: readonly Route[] = [
  defineRoute({
    ...staff,
    id: 'listUserLogins',
    method: 'get',
    path: '/users/{username}/logins',
    summary: 'List the logins of a user, newest first',
    description:
      'Each browser has a login of its own. Ended and expired ones are not listed. Only superusers see those of a superuser (403).',
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
      const found = engine.accountHelp.logins(username, requestActor(context), now);
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
      'Each of the browsers has to log in again; the login of this request stays. API keys stay valid. Only superusers end those of a superuser (403). ' +
      'Cannot be undone. Written to the audit log.',
    accepts: { params: UserParams },
    errors: { not_allowed: superusersOnly },
    replies: {
      status: 200,
      body: Closed({ ended: Type.Integer({ minimum: 0, description: 'Number of logins that ended.' }) }),
    },
    run(context, { params: { username } }) {
      const { engine, login, now } = context;
      const input = { actor: requestActor(context), ...omitUndefined({ exceptLoginId: login ?? undefined }) };
      return { ended: engine.accountHelp.endLogins(username, input, now) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'removeUserPin',
    method: 'delete',
    path: '/users/{username}/pin',
    summary: 'Delete the PIN of a user, who can choose another one then',
    description:
      'Succeeds when there is none. Only superusers delete the PIN of a superuser (403). Cannot be undone. Written to the audit log.',
    accepts: { params: UserParams },
    errors: { not_allowed: superusersOnly },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { username } }) {
      context.engine.accountHelp.removePin(username, requestActor(context), context.now);
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
      'otherwise 409; `changeUser` sets an address without confirmation. Only superusers do it for a superuser (403). Written to the audit log.',
    attempt: 'mail',
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
      engine.accountHelp.requestEmailChange(username, input, now);
      return {};
    },
  }),
];
