import { AppError } from '../../core/app-error.ts';
import type { Rule } from '../../core/reasons.ts';
import {
  maxUsernameLength,
  toUsername,
  type UsernameFault,
  usernameFault,
} from '../../core/users/username-rules.ts';
import type { Store } from '../../store/store.ts';
import { validateText, validationError } from '../shared/bounds.ts';

/** Validates a username and returns the form that is stored; the rules are those of `usernameFault`. */
export function validateUsername(username: string): string {
  const name = validateText('username', toUsername(username), { max: maxUsernameLength });
  const fault = usernameFault(name);
  if (fault !== null) throw validationError('username', usernameRules[fault], toUsernameRule(fault));
  return name;
}

const usernameRules: Readonly<Record<UsernameFault, string>> = {
  characters: 'may have letters, digits and _ . @ + - only',
  scripts: 'must have letters and digits of one script only',
  digits: 'must have letters and digits of one script only',
  ends: 'must start and end with a letter or digit',
  direction: 'must start with a letter, as it is written from right to left',
  reserved: 'is reserved: choose another one',
};

function toUsernameRule(fault: UsernameFault): Rule {
  switch (fault) {
    case 'characters':
      return { name: 'username_characters' };
    case 'scripts':
    case 'digits':
      return { name: 'username_one_script' };
    case 'ends':
      return { name: 'username_ends' };
    case 'direction':
      return { name: 'username_direction' };
    case 'reserved':
      return { name: 'taken' };
  }
}

/** For a name that an account has or had before. */
export const nameTakenError = () => validationError('username', 'is taken', { name: 'taken' });

/** Nobody else can take the other names of an account. */
const maxAliases = 10;

/** Throws `conflict` if the account has more than ten other names. */
export function requireFewAliases(store: Store, userId: number): void {
  if (store.users.aliases(userId).length <= maxAliases) return;
  throw new AppError(
    'conflict',
    `This account has ${maxAliases} other names, which stay reserved for it: give it one of them, or remove one.`,
    { reason: { name: 'too_many_aliases', most: maxAliases } },
  );
}

/** Validates a display name; an empty one becomes the user name. */
export function validateDisplayName(displayName: string, username: string): string {
  return validateText('display_name', displayName, { min: 0, max: 127 }) || username;
}

/** Validates a mail address; may be empty. Only a mail can show whether it exists. */
export function validateEmail(email: string): string {
  const address = validateText('email', email, { min: 0, max: 254 });
  if (address === '' || /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) return address;
  throw validationError('email', 'must be an address such as anna@example.org, or empty', {
    name: 'mail_address',
  });
}
