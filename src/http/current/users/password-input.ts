import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { User } from '../../../core/records.ts';
import { type AttemptSource, noteLogin, notingFailure } from '../../routes/note-login.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import type { RouteServices } from '../../services.ts';

/** A password as typed; rules for new passwords are in `NewPassword`. */
export const PasswordInput = Type.String({ maxLength: 2_048, description: 'The password.' });

/** What a route needs to check passwords. */
export type PasswordServices = Pick<RouteServices, 'loginDelay'>;

/**
 * The active account of that name and password, else null, after the delay of the account. Rejects with `too_many` when
 * too many passwords wait for it.
 */
export async function checkPassword(
  { loginDelay }: PasswordServices,
  context: AttemptSource,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<User | null> {
  const { engine, address } = context;
  const check = () => engine.users.passwords.check(username, password);
  // All names of an account share one delay.
  const account = engine.users.user(username)?.username ?? username;
  const attempt = { method: 'password', username } as const;
  const user = await notingFailure(context, attempt, () =>
    loginDelay === null ? check() : loginDelay.run(account, address, check),
  );
  if (user === null) noteLogin(context, { ...attempt, outcome: 'failed' });
  return user;
}

/** Rejects with `invalid_request` naming `current_password` unless it is the password of the requester. */
export async function requireCurrentPassword(
  services: PasswordServices,
  context: AttemptSource & Pick<RouteContext, 'user'>,
  password: string,
): Promise<void> {
  const { username } = context.user!;
  if ((await checkPassword(services, context, { username, password })) !== null) return;
  throw new AppError('invalid_request', 'The current password is wrong.', {
    reason: { name: 'wrong_password' },
    fields: { current_password: 'is not the password of this account' },
    rules: { current_password: { name: 'does_not_match', what: 'password' } },
  });
}
