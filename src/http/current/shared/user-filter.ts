import Type from 'typebox';
import { toUsernameKey } from '../../../core/users/username-rules.ts';
import { validationError } from '../../routes/input-values.ts';
import { Maybe } from '../../routes/schemas.ts';

/** Longer than any valid username, so a name that is too long matches nobody. */
const UsernameFilter = (description: string) => Maybe(Type.String({ maxLength: 128, description }));

/** Query fields that select the rows of one user. */
export const userFilterFields = {
  user: UsernameFilter('Only those of this user, by username. At most 128 characters.'),
  username: UsernameFilter('The same as `user`. Both may be sent only if they name the same user.'),
};

/** The username to filter by; undefined without one. Throws `invalid_request` when both fields differ. */
export function toUserFilter({ user, username }: { readonly user?: string; readonly username?: string }) {
  if (user !== undefined && username !== undefined && toUsernameKey(user) !== toUsernameKey(username))
    throw validationError('username', 'must be the same as user; send one of them');
  return user ?? username;
}
