import Type, { type Static } from 'typebox';
import type { AuthToken, User } from '../../../core/records.ts';
import { listLanguages } from '../../../system/catalogues.ts';
import { pictureAddress } from '../../pictures.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';

/** The path parameter that names a user. */
export const UserParams = Open({
  username: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'Username, in upper or lower case; or a name that the user had before.',
  }),
});

const user = {
  username: Type.String({
    maxLength: 128,
    description: 'Name of the account, by which requests refer to it.',
  }),
  display_name: Type.String({
    maxLength: 127,
    description: 'Name to show; the username unless another is set.',
  }),
  joined_time: { ...IsoSeconds, description: 'UTC time of the creation of the account.' },
  mugshot_url: Type.String({ description: 'Address of the picture; empty without one.' }),
  is_active: Type.Boolean({ description: 'False when the account was deactivated: nobody can use it.' }),
  is_staff: Type.Boolean({ description: 'True for staff.' }),
  is_superuser: Type.Boolean({ description: 'True for superusers, who may do everything staff may.' }),
};

export const UserJson = named('User', Closed(user, { description: 'An account.' }));

/** What members see of other users in lists. */
export const UserNameJson = named(
  'UserName',
  Closed({
    username: Type.String({ description: 'The name that identifies the user.' }),
    display_name: Type.String({ description: 'The name shown to others.' }),
  }),
);

/** A display name in a request. */
export const DisplayName = Maybe(
  Type.String({ maxLength: 127, description: 'At most 127 characters. Empty: the username is shown.' }),
);

/** Language of the mails to a user. */
export const NotificationLanguage = Nullable(
  Type.Enum([...listLanguages()], {
    description:
      'Language of mails to the user, an IETF tag; null: the language of the site’s `locale`, else English.',
  }),
);

/** A user's own account, with the e-mail address. */
export const CurrentUserJson = named(
  'CurrentUser',
  Closed(
    {
      ...user,
      email: Type.String({ description: 'Shown to its owner only; empty when unknown.' }),
      notification_language: NotificationLanguage,
    },
    { description: 'The requester’s own account.' },
  ),
);

export const TokenJson = named(
  'AuthToken',
  Closed(
    {
      id: Type.String({ description: 'Id of the token, `<auth_device>|<token_value>`.' }),
      auth_device: Type.String({ maxLength: 64, description: 'Kind of reader, such as `core.rfid`.' }),
      token_value: Type.String({ maxLength: 128, description: 'Value that the reader reports.' }),
      other_values: Type.Array(Type.String({ maxLength: 128 }), {
        maxItems: 8,
        description: 'Further values under which readers send the same token.',
      }),
      nice_name: Type.String({ description: 'Display name; may be empty.' }),
      has_pin: Type.Boolean({ description: 'True when it has a PIN; the PIN is never shown.' }),
      user_id: Nullable(Type.String({ description: 'Username of its owner.' })),
      enabled: Type.Boolean({ description: 'False: it opens nothing.' }),
      created_time: { ...IsoSeconds, description: 'UTC time of its creation.' },
      expire_time: Nullable({
        ...IsoSeconds,
        description: 'UTC time at which it stops working; null for never.',
      }),
      last_seen: Nullable({
        ...IsoSeconds,
        description: 'UTC time of its latest presentment; null when it was not presented lately.',
      }),
      last_seen_device: Nullable(
        Type.String({
          maxLength: 128,
          description: 'Name of the controller to which it was presented then.',
        }),
      ),
    },
    { description: 'An auth token: a card or button that opens taps.' },
  ),
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

export const userNameJson = ({ username, displayName }: User): Static<typeof UserNameJson> => ({
  username,
  display_name: displayName,
});

export const currentUserJson = (account: User): Static<typeof CurrentUserJson> => ({
  ...userJson(account),
  email: account.email,
  notification_language: account.notificationLanguage,
});

export const tokenJson = (token: AuthToken): Static<typeof TokenJson> => ({
  id: `${token.authDevice}|${token.tokenValue}`,
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  other_values: [...token.otherValues],
  nice_name: token.niceName,
  has_pin: token.hasPin,
  user_id: token.username,
  enabled: token.enabled,
  created_time: isoSeconds(token.createdTimeMs),
  expire_time: token.expireTimeMs === null ? null : isoSeconds(token.expireTimeMs),
  last_seen: token.lastSeen === null ? null : isoSeconds(token.lastSeen.timeMs),
  last_seen_device: token.lastSeen?.device ?? null,
});
