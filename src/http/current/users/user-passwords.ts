import { AppError } from '../../../core/app-error.ts';
import { defineRoute } from '../../routes/route.ts';
import { requestActor, requireSiteAddress } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { NewPassword } from './login.ts';
import { UserParams } from './user-views.ts';

export const setUserPassword = defineRoute({
  id: 'setUserPassword',
  method: 'post',
  path: '/users/{username}/set-password',
  summary: 'Set the password of a user. Ends all their logins, API keys and their PIN',
  description:
    'For somebody who cannot receive mail. Only superusers set the password of staff and superusers (403). The own password is changed by ' +
    '`changePassword`, which needs the current one (403). Written to the audit log.',
  access: 'staff',
  writesCredential: { proof: 'confirmed-login' },
  accepts: { params: UserParams, body: Closed({ password: NewPassword }) },
  errors: { not_allowed: ['superusers_only', 'own_password'], unavailable: ['too_many_logins'] },
  replies: { status: 200, body: Closed({}) },
  async run(context, { params: { username }, body }) {
    const { engine, now, user } = context;
    if (engine.users.user(username)?.id === user!.id) throw ownPasswordError();
    const password = await engine.users.passwords.hash(body.password);
    context.requireUnchanged();
    engine.users.accounts.setPassword(username, password, { actor: requestActor(context), now });
    return {};
  },
});

const ownPasswordError = () =>
  new AppError('not_allowed', 'Change your own password on your account page, with the current one.', {
    reason: { name: 'own_password' },
  });

export const sendActivation = defineRoute({
  id: 'sendActivation',
  method: 'post',
  path: '/users/{username}/send-activation',
  summary:
    'Mail the link for the first password again, to a user without a password. The previous link stops working',
  description:
    '409 when the user has a password or no e-mail address, or when no mail server is set. Only superusers do it for staff and superusers (403). Written to the audit ' +
    'log.',
  access: 'staff',
  attempt: 'mail',
  writesCredential: { proof: 'confirmed-login' },
  accepts: { params: UserParams },
  errors: {
    not_allowed: ['superusers_only'],
    conflict: ['account_off', 'has_password', 'no_mail_address', 'no_mail_server', 'no_site_address'],
    too_many: ['link_sent_recently'],
  },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { username } }) {
    const { engine, now } = context;
    const input = { actor: requestActor(context), siteUrl: requireSiteAddress(context) };
    engine.users.registration.sendLink(username, input, now);
    return {};
  },
});
