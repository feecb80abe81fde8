import Type, { type Static } from 'typebox';
import type { AuthToken, User } from '../../../core/records.ts';
import { pictureAddress } from '../../pictures.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named } from '../../routes/schemas.ts';

const user = {
  username: Type.String(),
  display_name: Type.String(),
  joined_time: IsoSeconds,
  mugshot_url: Type.String({ description: 'Empty without a picture.' }),
  is_active: Type.Boolean(),
  is_staff: Type.Boolean(),
  is_superuser: Type.Boolean(),
};

export const UserJson = named('User', Closed(user));

/** A user's own account, with the e-mail address. */
export const CurrentUserJson = named(
  'CurrentUser',
  Closed({ ...user, email: Type.String({ description: 'Shown to its owner only; empty when unknown.' }) }),
);

export const TokenJson = named(
  'AuthToken',
  Closed({
    id: Type.String({ description: '`<auth_device>|<token_value>`.' }),
    auth_device: Type.String(),
    token_value: Type.String(),
    nice_name: Type.String({ description: 'Display name; may be empty.' }),
    has_pin: Type.Boolean({ description: 'True when it has a PIN; the PIN is never shown.' }),
    user_id: Nullable(Type.String({ description: 'Username of its owner.' })),
    enabled: Type.Boolean(),
    created_time: IsoSeconds,
    expire_time: Nullable(IsoSeconds),
  }),
);

export const userJson = (account: User): Static<typeof UserJson> => ({
  username: account.username,
  display_name: account.displayName,
  joined_time: isoSeconds(account.joinedTimeMs),
  mugshot_url: account.mugshot === null ? '' : pictureAddress({ name: account.mugshot }, 1024),
  is_active: account.isActive,
  is_staff: account.isStaff,
  is_superuser: account.isSuperuser,
});

export const currentUserJson = (account: User): Static<typeof CurrentUserJson> => ({
  ...userJson(account),
  email: account.email,
});

export const tokenJson = (token: AuthToken): Static<typeof TokenJson> => ({
  id: `${token.authDevice}|${token.tokenValue}`,
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  nice_name: token.niceName,
  has_pin: token.hasPin,
  user_id: token.username,
  enabled: token.enabled,
  created_time: isoSeconds(token.createdTimeMs),
  expire_time: token.expireTimeMs === null ? null : isoSeconds(token.expireTimeMs),
});
