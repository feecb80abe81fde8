import type { User } from '../../core/records.ts';
import { validationError } from '../bounds.ts';
import type { EngineParts } from '../parts.ts';
import { dummyHash, type HashedPassword, hashPassword, passwordMatches } from './secrets.ts';

/** Passwords: made unreadable, and checked, outside the main loop. */
export interface Passwords {
  /**
   * Hashes a password of 8 to 1024 characters for `addUser` and `setPassword`; `invalid_request` naming `field` for any
   * other, `unavailable` while too many wait.
   */
  hash(password: string, field?: string): Promise<HashedPassword>;
  /** The active account of that name and password, else null. The same work whether there is such a name or not. */
  check(username: string, password: string): Promise<User | null>;
}

const minLength = 8;
const maxLength = 1_024;

export function createPasswords({ store }: EngineParts): Passwords {
  return {
    async hash(password, field = 'password') {
      const length = [...password].length;
      if (length < minLength || length > maxLength) {
        throw validationError(field, `must have ${minLength} to ${maxLength} characters`, {
          name: 'text_from_to',
          least: minLength,
          most: maxLength,
        });
      }
      return hashPassword(password);
    },

    async check(username, password) {
      const stored = store.users.passwordHash(username);
      // A longer one is nobody's, and its work would be the sender's to choose.
      const candidate = password.length <= 2 * maxLength ? password : '';
      const matches = await passwordMatches(candidate, stored ?? dummyHash);
      // Read only now: while we reckoned, the account may have been switched off or its password changed.
      const isUnchanged = stored !== null && store.users.passwordHash(username) === stored;
      const user = matches && isUnchanged ? store.users.byName(username) : null;
      return user?.isActive ? user : null;
    },
  };
}
