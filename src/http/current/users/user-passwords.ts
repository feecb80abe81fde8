import { defineRoute } from '../../routes/route.ts';
import { requestActor, requireSiteAddress } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { NewPassword } from './login.ts';
import { UserParams } from './user-views.ts';

export const setUserPassword = defineRoute({
  id: 'setUserPassword',
  method: 'post',
  path: '/users/{username}/set-password',
  summary: 'Set the password of a user. Ends all their logins',
  description:
    'For somebody who cannot receive mail. The user’s API keys stay valid. Only superusers set the password of a superuser (403). Written to the audit log.',
  access: 'staff',
  accepts: { params: UserParams, body: Closed({ password: NewPassword }) },
  errors: { not_allowed: ['superusers_only'], unavailable: ['too_many_logins'] },
  replies: { status: 200, body: Closed({}) },
  async run(context, { params: { username }, body }) {
    const { engine, now } = context;
    const password = await engine.passwords.hash(body.password);
    context.requireUnchanged();
    engine.accounts.setPassword(username, password, { actor: requestActor(context), now });
    return {};
  },
});

export const sendActivation = defineRoute({
  id: 'sendActivation',
  method: 'post',
  path: '/users/{username}/send-activation',
  summary:
    'Mail the link for the first password again, to a user without a password. The previous link stops working',
  description:
    '409 when the user has a password or no e-mail address, or when no mail server is set. Written to the audit ' +
    'log.',
  access: 'staff',
  attempt: 'mail',
  accepts: { params: UserParams },
  errors: {
    conflict: ['account_off', 'has_password', 'no_mail_address', 'no_mail_server', 'no_site_address'],
    too_many: ['link_sent_recently'],
  },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { username } }) {
    const { engine, now } = context;
    const input = { actor: requestActor(context), siteUrl: requireSiteAddress(context) };
    engine.registration.sendLink(username, input, now);
    return {};
  },
});
