import type { Moment } from '../../../core/clock/moment.ts';
import type { Rule } from '../../../core/reasons.ts';
import type { User } from '../../../core/records.ts';
import { type PasswordFault, passwordFault, passwordLength } from '../../../core/users/password-rules.ts';
import { validationError } from '../../shared/bounds.ts';
import type { EngineParts } from '../../shared/parts.ts';
import { type HashedPassword, hashPassword, makeDummyHash, passwordMatches } from '../secrets.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Hashes and checks passwords, outside the main thread. */
export function createPasswords({ store, settings }: EngineParts) {
  const dummyHash = makeDummyHash(settings.passwordLogN);
  return {
    /**
     * Hashes a password for `addUser` and `setPassword`; `invalid_request` naming `field` for one that is too short, too
     * long or easily guessed, `unavailable` while too many are queued.
     */
    async hash(password: string, field: string = 'password'): Promise<HashedPassword> {
      const fault = passwordFault(password) ?? ((await isCommonPassword(password)) ? 'common' : null);
      if (fault !== null)
        throw validationError(field, passwordFaults[fault].text, passwordFaults[fault].rule);
      return hashPassword(password, settings.passwordLogN);
    },

    /**
     * The active account of that name and password, else null. Does the same work whether the name exists or
     * not.
     */
    async check(username: string, password: string): Promise<User | null> {
      const stored = store.users.passwordHash(username);
      // A longer one matches nobody, and the client must not choose how much work it causes.
      const candidate = password.length <= 2 * passwordLength.most ? password : '';
      const matches = await passwordMatches(candidate, stored ?? dummyHash);
      // Read after hashing: meanwhile the account may have been deactivated or its password changed.
      const isUnchanged = stored !== null && store.users.passwordHash(username) === stored;
      const user = matches && isUnchanged ? store.users.byName(username) : null;
      return user?.isActive ? user : null;
    },
  };
}

const { least, most } = passwordLength;

const passwordFaults: Readonly<Record<PasswordFault, { readonly text: string; readonly rule: Rule }>> = {
  length: {
    text: `must have ${least} to ${most} characters`,
    rule: { name: 'text_from_to', least, most },
  },
  blank: { text: 'must not be blank', rule: { name: 'not_blank' } },
  repeated: {
    text: 'must not repeat one character or a short pattern: it is easily guessed',
    rule: { name: 'password_repeated' },
  },
  'in a row': {
    text: 'must not be a row of keys or letters: it is easily guessed',
    rule: { name: 'password_in_a_row' },
  },
  common: {
    text: 'must not be a common choice: it is easily guessed',
    rule: { name: 'password_common' },
  },
};

/** How long a confirmed password is valid, seconds: enough to change the settings of one page. */
const confirmedS = 300;

/** More than the superusers of any bar have logins; the oldest confirmation is removed. */
const maxConfirmations = 100;

/**
 * Logins whose owner has entered the password again lately. In memory with the monotonic clock: a restart ends all
 * confirmations, and setting the time extends none.
 */
export class PasswordConfirmations {
  readonly #ends = new Map<number, Pick<Moment, 'bootId' | 'monoMs'>>();

  /** Records that the password of a login was right; returns the seconds for which it counts. */
  add(loginId: number, { bootId, monoMs }: Moment): number {
    this.#ends.delete(loginId);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size >= maxConfirmations && oldest !== undefined) this.#ends.delete(oldest);
    this.#ends.set(loginId, { bootId, monoMs: monoMs + confirmedS * 1_000 });
    return confirmedS;
  }

  /** Whether the password of a login was confirmed lately. */
  has(loginId: number, { bootId, monoMs }: Moment): boolean {
    const end = this.#ends.get(loginId);
    return end !== undefined && end.bootId === bootId && monoMs < end.monoMs;
  }
}
