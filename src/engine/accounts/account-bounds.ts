import { validateText, validationError } from '../bounds.ts';
import { isAnonymous } from '../resolve-user.ts';

/** A name for an account: 1 to 30 letters, digits and `_ . @ + -`. */
export function validateUsername(username: string): string {
  const name = validateText('username', username, { max: 30 });
  if (!/^[\p{L}\p{M}\p{N}_.@+-]+$/u.test(name)) {
    throw validationError('username', 'may have letters, digits and _ . @ + - only', {
      name: 'name_letters',
    });
  }
  if (isAnonymous(name.toLowerCase()))
    throw validationError('username', 'guest is kept for nobody in particular', { name: 'taken' });
  return name;
}

/** What somebody is called on pages; an empty one is the user name again. */
export function validateDisplayName(displayName: string, username: string): string {
  return validateText('display_name', displayName, { min: 0, max: 127 }) || username;
}

/** An address mail can be sent to, or none. Whether anybody reads there only a mail can tell. */
export function validateEmail(email: string): string {
  const address = validateText('email', email, { min: 0, max: 254 });
  if (address === '' || /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(address)) return address;
  throw validationError('email', 'must be an address such as anna@example.org, or empty', {
    name: 'mail_address',
  });
}
