import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Engine } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { PasswordInput, type PasswordServices, requireCurrentPassword } from './password-input.ts';
import { UserParams } from './user-views.ts';

const whatIsErased =
  'For good: account, names, e-mail address, password, PIN, logins, API keys, auth tokens, pictures, comments, invitations, ' +
  'notification settings and waiting mails. Drinks, sessions and totals stay, without a user; in the audit log `#` and a ' +
  'number stand for the name. The name is free afterwards. The account goes at once; the drinks lose it within seconds, before ' +
  'the answer, or after a restart if the power fails. Older backups still contain everything. The last superuser and ' +
  'the last active staff account stay (409).';

/** Routes about all that is stored of a user. */
export const personalDataRoutes = (services: PasswordServices): readonly Route[] => [
  defineRoute({
    id: 'eraseMe',
    method: 'post',
    path: '/users/me/erase',
    summary: 'Erase your own account and all personal data',
    description: `Needs the password. ${whatIsErased}`,
    access: 'member',
    attempt: 'login',
    writesCredential: { proof: 'current-password' },
    accepts: { body: Closed({ current_password: PasswordInput }) },
    errors: {
      invalid_request: ['wrong_password'],
      conflict: ['last_superuser', 'last_staff_account'],
      too_many: ['passwords_waiting'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 200, body: Closed({}) },
    async run(context, { body }) {
      await requireCurrentPassword(services, context, body.current_password);
      const { engine, now, user } = context;
      engine.users.personalData.erase(user!.username, requestActor(context), now);
      await finishErasure(engine);
      context.setLogin(null);
      return {};
    },
  }),
  defineRoute({
    id: 'eraseUser',
    method: 'post',
    path: '/users/{username}/erase',
    summary: 'Erase a user and all personal data',
    description: whatIsErased,
    access: 'confirmed-superuser',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params: UserParams },
    errors: { conflict: ['last_superuser', 'last_staff_account'] },
    replies: { status: 200, body: Closed({}) },
    async run(context, { params: { username } }) {
      context.engine.users.personalData.erase(username, requestActor(context), context.now);
      await finishErasure(context.engine);
      return {};
    },
  }),
];

/** A regular has thousands of drinks: pours and other requests are handled between the steps. */
async function finishErasure({ users: { personalData } }: Engine): Promise<void> {
  while (personalData.continueErasure()) await yieldToEventLoop();
}
