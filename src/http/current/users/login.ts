import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { passwordLength } from '../../../core/users/password-rules.ts';
import { noteLogin } from '../../routes/note-login.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed } from '../../routes/schemas.ts';
import {
  checkPassword,
  PasswordInput,
  type PasswordServices,
  requireCurrentPassword,
} from './password-input.ts';
import { CurrentUserJson, currentUserJson } from './user-views.ts';

/** What a username may be, for descriptions. */
export const usernameForm =
  'Letters of one script, digits and `_ . @ + -`; a letter or digit at both ends; at most 30 characters. Names that ' +
  'differ only in case are the same. `guest` and `me` are reserved.';

/** The name of a new account; `validateUsername` of the engine has the rules. */
export const NewUsername = Type.String({
  minLength: 1,
  maxLength: 30,
  description: usernameForm,
});

/** What a password may be, for descriptions. */
export const passwordForm =
  `At least ${passwordLength.least} characters; not one character or a short pattern repeated, no row of keys, letters or ` +
  'digits, and none of the most common passwords.';

/** A new password; `passwordFault` and the list of common ones have the rules. */
export const NewPassword = Type.String({
  minLength: passwordLength.least,
  maxLength: passwordLength.most,
  description: passwordForm,
});

/** The reply to a login: the user's own account. */
export const LoginReply = Closed({ user: CurrentUserJson });

/** Opens a login for the browser and sets its cookie; the browser's previous login ends. */
export function logIn(
  context: RouteContext,
  username: string,
  method: Parameters<RouteContext['engine']['users']['logins']['open']>[1],
): void {
  const { engine, now, login, isSecure } = context;
  const { token } = engine.users.logins.open(username, method, now, context.header('user-agent'), isSecure);
  const user = engine.users.user(username);
  // Not through a proxy: it says nothing about whether this bar's devices reach our own HTTPS.
  if (context.isOverOwnTls && (user?.isStaff || user?.isSuperuser)) engine.site.httpsUse.markUsed();
  if (login !== null) engine.users.logins.close(login);
  context.setLogin(token);
  noteLogin(context, { outcome: 'succeeded', method: provenBy[method], username });
}

/** What opens a login. */
const provenBy = {
  password: 'password',
  registration: 'registration',
  activation: 'link',
  setup: 'code',
  demo: 'demo',
} as const;

/** Login and logout by name and password. */
export const loginRoutes = (services: PasswordServices): readonly Route[] => [
  defineRoute({
    id: 'logIn',
    method: 'post',
    path: '/auth/login',
    summary: 'Log in by name and password. Sets the cookie `sessionid`, over HTTPS `__Host-sessionid`',
    description:
      'Name and password are those of an active account; otherwise 400, without telling which was wrong. After some ' +
      'failures each further attempt is delayed, and too many are answered with 429. The login ends fourteen days after its last use. Programs use an API key instead.',
    access: 'open',
    attempt: 'login',
    writesCredential: { proof: 'password' },
    accepts: {
      body: Closed({
        username: Type.String({ minLength: 1, maxLength: 128, description: 'Username.' }),
        password: PasswordInput,
      }),
    },
    errors: {
      invalid_request: ['wrong_login'],
      not_allowed: ['switched_off'],
      too_many: ['passwords_waiting'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 200, body: LoginReply },
    async run(context, { body: { username, password } }) {
      const user = await checkPassword(services, context, { username, password });
      if (user === null) {
        throw new AppError('invalid_request', 'This name and this password do not belong together.', {
          reason: { name: 'wrong_login' },
        });
      }
      logIn(context, user.username, 'password');
      return { user: currentUserJson(user) };
    },
  }),
  defineRoute({
    id: 'confirmPassword',
    method: 'post',
    path: '/auth/confirm-password',
    summary:
      'Enter your password again. For five minutes this login may then do what asks for it: change accounts, keys and who ' +
      'is let in, the mail server and webhooks, and download backups',
    description:
      'Only for a login: an API key is refused with 409. A wrong password is a 400 and counts as a failed login. ' +
      'Returns for how many seconds it counts.',
    access: 'member',
    attempt: 'login',
    accepts: { body: Closed({ current_password: PasswordInput }) },
    errors: {
      invalid_request: ['wrong_password'],
      conflict: ['no_keys'],
      too_many: ['passwords_waiting'],
      unavailable: ['too_many_logins'],
    },
    replies: {
      status: 200,
      body: Closed({
        seconds: Type.Integer({ minimum: 1, 'x-unit': 's', description: 'How long it counts.' }),
      }),
    },
    async run(context, { body }) {
      if (context.login === null)
        throw new AppError('conflict', 'There is no login to confirm: log in by name and password.', {
          reason: { name: 'no_keys' },
        });
      await requireCurrentPassword(services, context, body.current_password);
      return { seconds: context.engine.users.logins.confirmPassword(context.login, context.now) };
    },
  }),
  defineRoute({
    id: 'logOut',
    method: 'post',
    path: '/auth/logout',
    summary: 'Log out in this browser',
    description:
      'Ends the login of the cookie and removes it; over HTTPS also the login that this browser has over plain HTTP. With an API ' +
      'key nothing ends.',
    transport: 'any',
    access: 'member',
    writesCredential: { proof: 'own-cookie' },
    accepts: {},
    replies: { status: 200, body: Closed({}) },
    run({ engine, login, setLogin, endPlainLogin }) {
      if (login !== null) engine.users.logins.close(login);
      setLogin(null);
      endPlainLogin();
      return {};
    },
  }),
];
