import type { User } from '../../core/records.ts';
import { validationError } from '../bounds.ts';
import type { EngineParts } from '../parts.ts';
import { type HashedPassword, hashPassword, passwordMatches, standInHash } from './secrets.ts';

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

const shortest = 8;
const longest = 1_024;

export function createPasswords({ store }: EngineParts): Passwords {
  return {
    async hash(password, field = 'password') {
      const length = [...password].length;
      if (length < shortest || length > longest) {
        throw validationError(field, `must have ${shortest} to ${longest} characters`, {
          name: 'text_from_to',
          least: shortest,
          most: longest,
        });
      }
      return hashPassword(password);
    },

    async check(username, password) {
      const stored = store.users.passwordHash(username);
      // A longer one is nobody's, and its work would be the sender's to choose.
      const given = password.length <= 2 * longest ? password : '';
      const matches = await passwordMatches(given, stored ?? standInHash);
      // Read only now: while we reckoned, the account may have been switched off or its password changed.
      const isStill = stored !== null && store.users.passwordHash(username) === stored;
      const user = matches && isStill ? store.users.byName(username) : null;
      return user?.isActive ? user : null;
    },
  };
}
