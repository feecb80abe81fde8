import { AppError } from '../../core/app-error.ts';
import { neededSessionProof } from '../routes/credential-proof.ts';
import type { IdentifiedRequest } from './context.ts';

/** Throws `not_allowed` unless the caller has proved what a route that writes a credential needs. */
export function requireCredentialProof(identified: IdentifiedRequest): void {
  const { route, body } = identified;
  const needed = neededSessionProof(route, body.fields);
  if (needed === 'confirmed-login') requireConfirmedLogin(identified);
  if (needed === 'login') requireLogin(identified);
}

/**
 * Throws `not_allowed` unless the caller has a login and has entered its password again within five minutes. A key may not:
 * whoever has a copy of it could make an access that outlives it, or send the mails with reset links elsewhere.
 */
export function requireConfirmedLogin(identified: IdentifiedRequest): void {
  const { engine, now } = identified;
  if (engine.users.logins.isPasswordConfirmed(requireLogin(identified), now)) return;
  throw new AppError('not_allowed', 'Enter your password again to do this.', {
    reason: { name: 'password_needed' },
    fields: { current_password: 'is needed' },
  });
}

/** Returns the id of the caller's login. */
function requireLogin({ caller }: IdentifiedRequest): number {
  if (caller.kind === 'login') return caller.loginId;
  throw new AppError('not_allowed', 'An API key may not do this: log in by name and password.', {
    reason: { name: 'no_keys' },
  });
}
