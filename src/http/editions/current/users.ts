import Type from 'typebox';
import { KegError } from '../../../core/keg-error.ts';
import { defineRoute } from '../../route.ts';
import { Closed, Open } from '../../schemas.ts';
import { DrinkPageJson } from './drinks.ts';
import { PageQuery, PagingNextJson, pageOf, pagingJson, pagingNextJson } from './paging.ts';
import { UserJson, userJson } from './people-views.ts';
import { drinkJson } from './views.ts';

const UserParams = Open({
  username: Type.String({ minLength: 1, maxLength: 128, description: 'The user’s name.' }),
});

const nobody = (username: string) => new KegError('not_found', `Nobody here is called “${username}”.`);

export const listUsers = defineRoute({
  id: 'listUsers',
  method: 'get',
  path: '/users',
  summary: 'Accounts, the newest first',
  access: 'staff',
  accepts: { query: PageQuery },
  replies: { status: 200, body: Closed({ paging: PagingNextJson, users: Type.Array(UserJson) }) },
  run({ engine }, { query }) {
    const page = engine.lists.users(pageOf(query));
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
    const user = engine.people.user(username);
    if (!user) throw nobody(username);
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
    if (!engine.people.user(username)) throw nobody(username);
    const page = engine.lists.drinks({ ...pageOf(query), username });
    return { paging: pagingJson(page), drinks: page.items.map(drinkJson) };
  },
});

export const userRoutes = [listUsers, getUser, listUserDrinks];
