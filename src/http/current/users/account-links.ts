import Type from 'typebox';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requireSiteAddress } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import { EndKeys } from './account.ts';
import { LoginReply, NewPassword } from './login.ts';
import { MailedSecret } from './registration.ts';
import { currentUserJson } from './user-views.ts';

const emptyReply = { status: 200, body: Closed({}) };

/** Routes confirmed by a link in a mail: password reset and change of the e-mail address. */
export const accountLinkRoutes: readonly Route[] = [
  defineRoute({
    id: 'requestPasswordReset',
    method: 'post',
    path: '/auth/password-reset',
    summary:
      'Mail a password reset link to every account with this address. The answer is the same whether or not one exists',
    description:
      'For people who forgot their password. The link is valid for three days; a new one replaces it. Needs a mail ' +
      'server and the site’s own address, otherwise 409. The number of requests per address is limited (429).',
    access: 'open',
    attempt: 'mail',
    writesCredential: { proof: 'mailed-link' },
    accepts: {
      body: Closed({
        email: Type.String({ minLength: 1, maxLength: 254, description: 'E-mail address of the account.' }),
      }),
    },
    errors: { conflict: ['no_mail', 'no_site_address'] },
    replies: emptyReply,
    run(context, { body: { email } }) {
      const { engine, now } = context;
      engine.users.accountLinks.requestReset({ email, siteUrl: requireSiteAddress(context) }, now);
      return {};
    },
  }),
  defineRoute({
    id: 'confirmPasswordReset',
    method: 'post',
    path: '/auth/password-reset-confirm',
    summary:
      'Set a new password with the link in the mail, once and within three days. Ends all logins of the account, and its API keys if you choose so',
    description:
      '`uid` and `token` are the two parts of the link. A wrong, used or expired link is a 400. You are not logged ' +
      'in afterwards.',
    transport: 'https',
    access: 'open',
    attempt: 'code',
    writesCredential: { proof: 'mailed-link' },
    accepts: {
      body: Closed({
        uid: Type.String({
          minLength: 1,
          maxLength: 16,
          description: 'User id: the part of the link before the first hyphen.',
        }),
        token: MailedSecret,
        new_password: NewPassword,
        end_keys: EndKeys,
      }),
    },
    errors: { conflict: ['clock_not_set'], unavailable: ['too_many_logins'] },
    replies: emptyReply,
    async run(
      { engine, now },
      { body: { new_password: newPassword, end_keys: endsKeys = false, ...proof } },
    ) {
      engine.users.accountLinks.findResetUser(proof, now);
      const password = await engine.users.passwords.hash(newPassword, 'new_password');
      engine.users.accountLinks.reset(proof, { password, endsKeys }, now);
      return {};
    },
  }),
  defineRoute({
    id: 'requestEmailChange',
    method: 'post',
    path: '/account/email',
    summary:
      'Mail a confirmation link to your new e-mail address. The address changes when the link is used within a day',
    description:
      'The old address stays until the new one is confirmed. Needs a mail server and the site’s own address, ' +
      'otherwise 409. The number of requests per address is limited (429).',
    access: 'member',
    attempt: 'mail',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {
      body: Closed({
        email: Type.String({ minLength: 3, maxLength: 254, description: 'New e-mail address.' }),
      }),
    },
    errors: { conflict: ['no_mail', 'no_site_address'] },
    replies: emptyReply,
    run(context, { body: { email } }) {
      const { engine, now, user } = context;
      engine.users.accountLinks.requestEmailChange(
        user!,
        { email, siteUrl: requireSiteAddress(context) },
        now,
      );
      return {};
    },
  }),
  defineRoute({
    id: 'confirmEmailChange',
    method: 'post',
    path: '/account/confirm-email',
    summary: 'Confirm your new e-mail address with the link that was mailed to it',
    description:
      'You must be logged in as the user who asked for the change. A wrong, used or expired link is a 400. Returns ' +
      'your account with the new address.',
    access: 'member',
    attempt: 'code',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { body: Closed({ token: MailedSecret }) },
    errors: { conflict: ['clock_not_set'] },
    replies: { status: 200, body: LoginReply },
    run: ({ engine, now, user }, { body: { token } }) => ({
      user: currentUserJson(engine.users.accountLinks.confirmEmail(user!, token, now)),
    }),
  }),
];
