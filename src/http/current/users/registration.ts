import Type from 'typebox';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Maybe } from '../../routes/schemas.ts';
import { LoginReply, logIn, NewPassword, NewUsername } from './login.ts';
import { currentUserJson } from './user-views.ts';

/** A secret received by mail. */
export const MailedSecret = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Secret of the link in the mail.',
});

/** Registration, open or by invitation, and activation of accounts that staff created. */
export const registrationRoutes: readonly Route[] = [
  defineRoute({
    id: 'register',
    method: 'post',
    path: '/auth/register',
    summary: 'Create an account and log in. `registration_mode` of the site says who may',
    description:
      '`registration_mode` of the site is `public`, `member-invite-only` or `staff-invite-only`: with the last two ' +
      'a valid `invite_code` is required, otherwise 403. Sends a welcome mail where a mail server is set. Sets the ' +
      'cookie `sessionid`. The number of requests per address is limited (429).',
    transport: 'https',
    access: 'open',
    attempt: 'mail',
    writesCredential: { proof: 'invitation' },
    accepts: {
      body: Closed({
        username: NewUsername,
        email: Type.String({
          minLength: 3,
          maxLength: 254,
          description: 'E-mail address, shown to its owner only.',
        }),
        password: NewPassword,
        invite_code: Maybe(
          Type.String({ maxLength: 128, description: 'From the invitation, when one is required.' }),
        ),
      }),
    },
    errors: {
      not_allowed: ['invitation_required', 'link_invalid', 'switched_off'],
      conflict: ['clock_not_set'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 201, body: LoginReply },
    async run(context, { body: { invite_code: inviteCode, ...body } }) {
      const { engine, now } = context;
      // Checked first: hashing a password takes 0.1 s of CPU time.
      engine.users.registration.requireMayRegister(inviteCode, now);
      const password = await engine.users.passwords.hash(body.password);
      const invited = inviteCode === undefined ? {} : { inviteCode };
      const user = engine.users.registration.register({ ...body, password, ...invited }, now);
      logIn(context, user.username, 'registration');
      return { user: currentUserJson(user) };
    },
  }),
  defineRoute({
    id: 'activateAccount',
    method: 'post',
    path: '/account/activate',
    summary: 'Set the first password of an account created by staff, and log in',
    description:
      'The key is that of the link in the mail; it works once and within its time, otherwise 400. Sets the cookie ' +
      '`sessionid`.',
    transport: 'https',
    access: 'open',
    attempt: 'code',
    writesCredential: { proof: 'mailed-link' },
    accepts: { body: Closed({ activation_key: MailedSecret, password: NewPassword }) },
    errors: {
      not_allowed: ['switched_off'],
      not_found: ['not_found'],
      conflict: ['clock_not_set'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 200, body: LoginReply },
    async run(context, { body: { activation_key: key, ...body } }) {
      const { engine, now } = context;
      engine.users.registration.findByActivationKey(key, now);
      const password = await engine.users.passwords.hash(body.password);
      const user = engine.users.registration.activate(key, password, now);
      logIn(context, user.username, 'activation');
      return { user: currentUserJson(user) };
    },
  }),
];
