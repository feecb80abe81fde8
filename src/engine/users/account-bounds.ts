import { validateText, validationError } from '../shared/bounds.ts';
import { isAnonymous } from './resolve-user.ts';

/** Validates a user name: 1 to 30 letters, digits and `_ . @ + -`. */
export function validateUsername(username: string): string {
  const name = validateText('username', username, { max: 30 });
  if (!/^[\p{L}\p{M}\p{N}_.@+-]+$/u.test(name)) {
    throw validationError('username', 'may have letters, digits and _ . @ + - only', {
      name: 'username_characters',
    });
  }
  if (isAnonymous(name.toLowerCase()))
    throw validationError('username', 'guest is reserved', { name: 'taken' });
  return name;
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
