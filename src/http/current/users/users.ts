import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { isStaffRole, userRole } from '../../pipeline/access.ts';
import { defineRoute } from '../../routes/route.ts';
import { requestActor, siteAddress } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Nullable, Open } from '../../routes/schemas.ts';
import { correctionFields, correctionIdOf } from '../shared/correction-id.ts';
import { DrinkPageJson, drinkJsonFor } from '../shared/drink-views.ts';
import { PagingJson, pageFields, pagingJson, TimedPageQuery, toPageRequest } from '../shared/paging.ts';
import { NewPassword, NewUsername, passwordForm, usernameForm } from './login.ts';
import { sendActivation, setUserPassword } from './user-passwords.ts';
import {
  DisplayName,
  NotificationLanguage,
  UserJson,
  UserNameJson,
  UserParams,
  userJson,
  userNameJson,
} from './user-views.ts';

const userNotFound = (username: string) =>
  new AppError('not_found', `There is no user “${username}”.`, { reason: { name: 'not_found' } });

const listUsers = defineRoute({
  id: 'listUsers',
  method: 'get',
  path: '/users',
  summary: 'List users, newest first: their names for members, all fields for staff',
  description:
    'Inactive accounts are included unless filtered. `search` ignores case. E-mail addresses are not shown. On a site ' +
    'that only staff may see, members get 403.',
  access: 'viewing-member',
  byPin: true,
  accepts: {
    query: Open({
      ...pageFields,
      is_active: Maybe(Type.Boolean({ description: 'Only users who may log in and pour, or only others.' })),
      is_staff: Maybe(Type.Boolean({ description: 'Only staff, or only others.' })),
      role: Maybe(
        Type.Enum(['member', 'staff', 'superuser'], {
          description: 'Only users whose highest role is this one. Staff only.',
        }),
      ),
      search: Maybe(
        Type.String({
          maxLength: 128,
          description:
            'Part of the username or the display name, in upper or lower case. At most 128 characters.',
        }),
      ),
    }),
  },
  errors: { not_allowed: ['staff_only'] },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      users: Type.Array(Type.Union([UserJson, UserNameJson]), {
        description: 'Every entry is a `User` for staff, a `UserName` for others.',
      }),
    }),
  },
  run({ engine, user, addressWith }, { query }) {
    const showsAll = isStaffRole(userRole(user));
    const { is_active: isActive, is_staff: onlyStaff, role, search } = query;
    if (role !== undefined && !showsAll)
      throw new AppError('not_allowed', 'Only staff see roles.', { reason: { name: 'staff_only' } });
    const page = engine.lists.users({
      ...toPageRequest(query),
      ...omitUndefined({ isActive, isStaff: onlyStaff, role, search: search || undefined }),
    });
    return {
      paging: pagingJson(page, addressWith),
      users: page.items.map(showsAll ? userJson : userNameJson),
    };
  },
});

const getUser = defineRoute({
  id: 'getUser',
  method: 'get',
  path: '/users/{username}',
  summary: 'Get a user',
  description: 'Anyone who may read the site sees users by name and picture; e-mail addresses are not shown.',
  access: 'viewer',
  accepts: { params: UserParams },
  replies: { status: 200, body: Closed({ user: UserJson }) },
  run({ engine }, { params: { username } }) {
    const user = engine.users.user(username);
    if (!user) throw userNotFound(username);
    return { user: userJson(user) };
  },
});

const listUserDrinks = defineRoute({
  id: 'listUserDrinks',
  method: 'get',
  path: '/users/{username}/drinks',
  summary: 'List a user’s drinks, newest first',
  description: 'Held pours are not included. 404 when there is no such user.',
  access: 'viewer',
  accepts: { params: UserParams, query: TimedPageQuery },
  replies: { status: 200, body: DrinkPageJson },
  run(context, { params: { username }, query }) {
    const { engine } = context;
    if (!engine.users.user(username)) throw userNotFound(username);
    const page = engine.lists.drinks({ ...toPageRequest(query), username });
    return { paging: pagingJson(page, context.addressWith), drinks: page.items.map(drinkJsonFor(context)) };
  },
});

const accountFields = {
  email: Maybe(Type.String({ maxLength: 254, description: 'Empty for none. Shown to its owner only.' })),
  display_name: DisplayName,
  is_staff: Maybe(
    Type.Boolean({ description: 'Whether the user may run the bar: kegs, taps, users, settings.' }),
  ),
};

const createUser = defineRoute({
  id: 'createUser',
  method: 'post',
  path: '/users',
  summary: 'Create a user',
  description:
    'The name must be new, also when compared without case, otherwise 400. With an ' +
    'e-mail address but without a password, a link to choose one is mailed; `activation_sent` tells whether it ' +
    'was. Written to the audit log.',
  access: 'staff',
  writesCredential: { proof: 'confirmed-login', fields: ['password', 'email', 'is_staff'] },
  accepts: {
    body: Closed({
      username: NewUsername,
      password: Maybe(
        Type.String({
          ...NewPassword,
          description:
            `${passwordForm} Without one, a link to choose it is mailed to the user if possible; until a ` +
            'password is set, nobody can log in to the account, and it can only pour by token.',
        }),
      ),
      ...accountFields,
    }),
  },
  errors: { unavailable: ['too_many_logins'] },
  replies: {
    status: 201,
    body: Closed({
      user: UserJson,
      activation_sent: Type.Boolean({
        description:
          'Whether a link to choose the first password was mailed. False for a user with a password or without an ' +
          'e-mail address, and when no mail server is set or the site’s own address is unknown.',
      }),
    }),
  },
  async run(context, { body }) {
    const { engine, now } = context;
    const password =
      body.password === undefined ? {} : { password: await engine.users.passwords.hash(body.password) };
    context.requireUnchanged();
    const { user, isLinkMailed } = engine.users.registration.addByStaff(
      {
        ...password,
        username: body.username,
        email: body.email ?? '',
        displayName: body.display_name ?? '',
        isStaff: body.is_staff ?? false,
        actor: requestActor(context),
        siteUrl: siteAddress(context),
      },
      now,
    );
    return { user: userJson(user), activation_sent: isLinkMailed };
  },
});

const changeUser = defineRoute({
  id: 'changeUser',
  method: 'patch',
  path: '/users/{username}',
  summary: 'Change or rename a user, or deactivate the account',
  description:
    'Fields left out keep their values. Deactivating ends the user’s logins, API keys, open invitations and grants for good; it is in the audit log how many. Superusers are changed and made by superusers only (403), address, role and activity of staff as well, ' +
    'and the last active superuser and the last active staff account stay (409). `correction_id` undoes it; what a deactivation ended stays ended. ' +
    'Written to the audit log.',
  access: 'staff',
  writesCredential: {
    proof: 'confirmed-login',
    fields: ['username', 'email', 'is_staff', 'is_superuser', 'is_active'],
  },
  accepts: {
    params: UserParams,
    body: Closed({
      username: Maybe({
        ...NewUsername,
        description:
          `A new name, at most three times in 24 hours. The present one becomes an alias: it still identifies the user ` +
          'in addresses, logins and reported pours, and nobody else can take it; the user may take it back. A user ' +
          `has at most ten aliases. ${usernameForm}`,
      }),
      ...accountFields,
      notification_language: Maybe(NotificationLanguage),
      is_superuser: Maybe(
        Type.Boolean({
          description: 'Whether the user may do everything; superusers only.',
        }),
      ),
      is_active: Maybe(
        Type.Boolean({
          description:
            'False ends all logins, API keys, open invitations and grants; neither card nor password works then.',
        }),
      ),
    }),
  },
  errors: {
    not_allowed: ['superusers_only', 'superuser_needed'],
    conflict: ['last_staff_account', 'last_superuser', 'too_many_aliases'],
    too_many: ['renamed_too_often'],
  },
  replies: { status: 200, body: Closed({ user: UserJson, ...correctionFields }) },
  run(context, { params: { username }, body }) {
    if (body.is_superuser !== undefined) context.requireConfirmedSuperuser();
    const changes = omitUndefined({
      username: body.username,
      email: body.email,
      displayName: body.display_name,
      notificationLanguage: body.notification_language,
      isStaff: body.is_staff,
      isSuperuser: body.is_superuser,
      isActive: body.is_active,
    });
    const { engine, now } = context;
    const changed = engine.users.accounts.change(username, changes, requestActor(context), now);
    return { user: userJson(changed.result), ...correctionIdOf(changed) };
  },
});

const getUserState = defineRoute({
  id: 'getUserState',
  method: 'get',
  path: '/users/{username}/state',
  summary: 'Get whether a user has a password and an e-mail address, and when they were last seen',
  description: 'For staff who help somebody to log in. Times of use are exact to the hour.',
  access: 'staff',
  accepts: { params: UserParams },
  replies: {
    status: 200,
    body: Closed({
      has_password: Type.Boolean({
        description: 'True when a password is set, so that the user can log in.',
      }),
      has_email: Type.Boolean({
        description: 'True when an e-mail address is set; only its owner can read it.',
      }),
      last_seen_time: Nullable({
        ...IsoSeconds,
        description:
          'Last use of a login, to the hour, UTC, `YYYY-MM-DDTHH:MM:SSZ`; null without a valid login.',
      }),
      has_pin: Type.Boolean({ description: 'True when a PIN for shared tablets is set.' }),
      is_pin_locked: Type.Boolean({
        description: 'True after too many wrong PINs, until a login by password or a new PIN.',
      }),
      notification_language: NotificationLanguage,
      aliases: Type.Array(Type.String(), {
        description: 'Names that the user had before, at most ten. They still identify the user.',
      }),
    }),
  },
  run({ engine, now }, { params: { username } }) {
    const state = engine.users.accounts.state(username, now);
    const { user, lastSeenMs } = state;
    return {
      has_password: state.hasPassword,
      has_email: state.hasEmail,
      has_pin: state.hasPin,
      is_pin_locked: state.isPinLocked,
      last_seen_time: lastSeenMs === null ? null : isoSeconds(lastSeenMs),
      notification_language: user.notificationLanguage,
      aliases: [...engine.users.aliases(user)],
    };
  },
});

export const userRoutes = [
  listUsers,
  getUser,
  listUserDrinks,
  createUser,
  changeUser,
  getUserState,
  setUserPassword,
  sendActivation,
];
