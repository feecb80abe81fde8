import type { User } from '../../../core/records.ts';
import type { Store } from '../../../store/store.ts';
import { validationError } from '../../shared/bounds.ts';
import { lookAlikeForms } from './look-alike.ts';

/** The names of an account. */
type Names = Partial<Pick<User, 'id' | 'username' | 'displayName'>>;

/** Tells whether a name is or looks like one of others: usernames, earlier ones, and display names. */
export type NameCheck = (name: string) => boolean;

/** Compares with the names of all accounts but one. */
export function otherNames(store: Store, ownId?: number): NameCheck {
  const forms = new Set<string>();
  for (const { userId, name } of store.users.names())
    if (userId !== ownId) for (const form of lookAlikeForms(name)) forms.add(form);
  return (name) => lookAlikeForms(name).some((form) => forms.has(form));
}

/**
 * Throws `invalid_request` naming `username` or `display_name` when a name that is given can be taken for one of another
 * account. Call it in the transaction that writes it.
 */
export function requireOwnNames(store: Store, { id, username, displayName }: Names): void {
  const isOthers = otherNames(store, id);
  if (username !== undefined && isOthers(username)) throw lookAlikeError('username');
  if (displayName !== undefined && isOthers(displayName)) throw lookAlikeError('display_name');
}

const lookAlikeError = (field: 'username' | 'display_name') =>
  validationError(field, 'is the name of another user, or looks like it', { name: 'looks_like_other' });
