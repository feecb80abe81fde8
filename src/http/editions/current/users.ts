import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { requireSiteAddress, siteAddress } from '../../auth/own-address.ts';
import { requestActor } from '../../auth/request-actor.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Maybe, Nullable, Open } from '../../routes/schemas.ts';
import { DrinkPageJson } from './drinks.ts';
import { NewPassword, passwordLength } from './login.ts';
import {
  PageQuery,
  PagingNextJson,
  pageFields,
  pagingJson,
  pagingNextJson,
  toPageRequest,
} from './paging.ts';
import { UserJson, userJson } from './user-views.ts';
import { drinkJson } from './views.ts';

const UserParams = Open({
  username: Type.String({ minLength: 1, maxLength: 128, description: 'The user’s name.' }),
});

const userNotFound = (username: string) =>
  new AppError('not_found', `Nobody here is called “${username}”.`, { reason: { name: 'not_here' } });

export const listUsers = defineRoute({
  id: 'listUsers',
  method: 'get',
  path: '/users',
  summary: 'Accounts, the newest first',
  access: 'staff',
  byPin: true,
  accepts: {
    query: Open({
      ...pageFields,
      is_active: Maybe(Type.Boolean()),
      is_staff: Maybe(Type.Boolean()),
      search: Maybe(
        Type.String({ maxLength: 128, description: 'A part of the user name or the display name.' }),
      ),
    }),
  },
  replies: { status: 200, body: Closed({ paging: PagingNextJson, users: Type.Array(UserJson) }) },
  run({ engine }, { query }) {
    const { is_active: isActive, is_staff: isStaff, search } = query;
    const page = engine.lists.users({
      ...toPageRequest(query),
      ...(isActive === undefined ? {} : { isActive }),
      ...(isStaff === undefined ? {} : { isStaff }),
      ...(search ? { search } : {}),
    });
    return { paging: pagingNextJson(page), users: page.items.map(userJson) };
  },
});

export const getUser = defineRoute({
  id: 'getUser',
  method: 'get',
  path: '/users/{username}',
  summary: 'One user',
  access: 'viewer',
  accepts: { params: UserParams },
  replies: { status: 200, body: Closed({ user: UserJson }) },
  run({ engine }, { params: { username } }) {
    const user = engine.users.user(username);
    if (!user) throw userNotFound(username);
    return { user: userJson(user) };
  },
});

export const listUserDrinks = defineRoute({
  id: 'listUserDrinks',
  method: 'get',
  path: '/users/{username}/drinks',
  summary: 'What a user drank, the newest first',
  access: 'viewer',
  accepts: { params: UserParams, query: PageQuery },
  replies: { status: 200, body: DrinkPageJson },
  run({ engine }, { params: { username }, query }) {
    if (!engine.users.user(username)) throw userNotFound(username);
    const page = engine.lists.drinks({ ...toPageRequest(query), username });
    return { paging: pagingJson(page), drinks: page.items.map(drinkJson) };
  },
});

const accountFields = {
  email: Maybe(Type.String({ maxLength: 254, description: 'Empty for none. Shown to its owner only.' })),
  display_name: Maybe(Type.String({ maxLength: 127, description: 'Empty for the user name.' })),
  is_staff: Maybe(Type.Boolean()),
};

export const createUser = defineRoute({
  id: 'createUser',
  method: 'post',
  path: '/users',
  summary: 'A new account',
  access: 'staff',
  accepts: {
    body: Closed({
      username: Type.String({ minLength: 1, maxLength: 30, description: 'Letters, digits and _ . @ + -' }),
      password: Maybe(
        Type.String({
          ...passwordLength,
          description:
            'At least 8 characters. Without one, its owner gets a mail with a link to choose it where that can be; ' +
            'else nobody logs in to the account until it has a password, and it pours by token only.',
        }),
      ),
      ...accountFields,
    }),
  },
  replies: {
    status: 201,
    body: Closed({
      user: UserJson,
      activation_sent: Type.Boolean({
        description:
          'Whether a link to choose the first password is on its way by mail. False for an account that has a ' +
          'password or no address, and where the house has no mail server or does not know its own address.',
      }),
    }),
  },
  async run(context, { body }) {
    const { engine, now } = context;
    const password =
      body.password === undefined ? {} : { password: await engine.passwords.hash(body.password) };
    const { user, isLinkMailed } = engine.registration.addByStaff(
      {
        ...password,
        username: body.username,
        email: body.email ?? '',
        displayName: body.display_name ?? '',
        isStaff: body.is_staff ?? false,
        actor: requestActor(context),
        houseAddress: siteAddress(context),
      },
      now,
    );
    return { user: userJson(user), activation_sent: isLinkMailed };
  },
});

export const changeUser = defineRoute({
  id: 'changeUser',
  method: 'patch',
  path: '/users/{username}',
  summary: 'Change an account, or switch it off: nobody is ever deleted',
  access: 'staff',
  accepts: { params: UserParams, body: Closed({ ...accountFields, is_active: Maybe(Type.Boolean()) }) },
  replies: { status: 200, body: Closed({ user: UserJson }) },
  run(context, { params: { username }, body }) {
    const changes = {
      ...(body.email === undefined ? {} : { email: body.email }),
      ...(body.display_name === undefined ? {} : { displayName: body.display_name }),
      ...(body.is_staff === undefined ? {} : { isStaff: body.is_staff }),
      ...(body.is_active === undefined ? {} : { isActive: body.is_active }),
    };
    const { engine, now } = context;
    return { user: userJson(engine.accounts.change(username, changes, requestActor(context), now)) };
  },
});

export const getUserState = defineRoute({
  id: 'getUserState',
  method: 'get',
  path: '/users/{username}/state',
  summary: 'Whether somebody has chosen a password and has an address, and when they were here last',
  access: 'staff',
  accepts: { params: UserParams },
  replies: {
    status: 200,
    body: Closed({
      has_password: Type.Boolean(),
      has_email: Type.Boolean({ description: 'Whether mails reach them; the address is its owner’s own.' }),
      /** To the hour, and only while a login of theirs lasts. */
      last_seen_time: Nullable(IsoSeconds),
    }),
  },
  run({ engine, now }, { params: { username } }) {
    const { hasPassword, hasEmail, lastSeenMs } = engine.accounts.state(username, now);
    return {
      has_password: hasPassword,
      has_email: hasEmail,
      last_seen_time: lastSeenMs === null ? null : isoSeconds(lastSeenMs),
    };
  },
});

export const setUserPassword = defineRoute({
  id: 'setUserPassword',
  method: 'post',
  path: '/users/{username}/set-password',
  summary: 'Give somebody a new password; all their logins end',
  access: 'staff',
  accepts: { params: UserParams, body: Closed({ password: NewPassword }) },
  replies: { status: 200, body: Closed({}) },
  async run(context, { params: { username }, body }) {
    const { engine, now } = context;
    const password = await engine.passwords.hash(body.password);
    engine.accounts.setPassword(username, password, { actor: requestActor(context), now });
    return {};
  },
});

export const sendActivation = defineRoute({
  id: 'sendActivation',
  method: 'post',
  path: '/users/{username}/send-activation',
  summary:
    'Mail the link for a first password once more to who has none yet; the link before opens nothing any more',
  access: 'staff',
  attempt: 'mail',
  accepts: { params: UserParams },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { username } }) {
    const { engine, now } = context;
    const input = { actor: requestActor(context), houseAddress: requireSiteAddress(context) };
    engine.registration.sendLink(username, input, now);
    return {};
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
