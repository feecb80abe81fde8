import Type from 'typebox';
import { requireSiteAddress } from '../../doors/own-address.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed } from '../../routes/schemas.ts';
import { LoginReply, NewPassword } from './login.ts';
import { MailedSecret } from './registration.ts';
import { currentUserJson } from './user-views.ts';

const emptyReply = { status: 200, body: Closed({}) };

/** What is proved by reading one’s mail: a password that was forgotten, an address that is new. */
export const accountLinkRoutes: readonly Route[] = [
  defineRoute({
    id: 'requestPasswordReset',
    method: 'post',
    path: '/auth/password-reset',
    summary:
      'Mail a link for a new password to every account with this address; never says whether there is one',
    access: 'open',
    attempt: 'letter',
    accepts: { body: Closed({ email: Type.String({ minLength: 1, maxLength: 254 }) }) },
    replies: emptyReply,
    run(context, { body: { email } }) {
      const { engine, now } = context;
      engine.accountLinks.askReset({ email, houseAddress: requireSiteAddress(context) }, now);
      return {};
    },
  }),
  defineRoute({
    id: 'confirmPasswordReset',
    method: 'post',
    path: '/auth/password-reset-confirm',
    summary: 'Choose a new password by the link in the mail, once and within three days; all logins end',
    access: 'open',
    attempt: 'code',
    accepts: {
      body: Closed({
        uid: Type.String({
          minLength: 1,
          maxLength: 16,
          description: 'What stands before the first hyphen.',
        }),
        token: MailedSecret,
        new_password: NewPassword,
      }),
    },
    replies: emptyReply,
    async run({ engine, now }, { body: { new_password: newPassword, ...proof } }) {
      engine.accountLinks.resetting(proof, now);
      const password = await engine.passwords.hash(newPassword, 'new_password');
      engine.accountLinks.reset(proof, password, now);
      return {};
    },
  }),
  defineRoute({
    id: 'requestEmailChange',
    method: 'post',
    path: '/account/email',
    summary: 'Mail a link to a new address of one’s own; it is taken when the link is followed within a day',
    access: 'member',
    attempt: 'letter',
    accepts: { body: Closed({ email: Type.String({ minLength: 3, maxLength: 254 }) }) },
    replies: emptyReply,
    run(context, { body: { email } }) {
      const { engine, now, user } = context;
      engine.accountLinks.askEmail(user!, { email, houseAddress: requireSiteAddress(context) }, now);
      return {};
    },
  }),
  defineRoute({
    id: 'confirmEmailChange',
    method: 'post',
    path: '/account/confirm-email',
    summary: 'Take the new address, by the link that was mailed to it',
    access: 'member',
    attempt: 'code',
    accepts: { body: Closed({ token: MailedSecret }) },
    replies: { status: 200, body: LoginReply },
    run: ({ engine, now, user }, { body: { token } }) => ({
      user: currentUserJson(engine.accountLinks.confirmEmail(user!, token, now)),
    }),
  }),
];
