import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { User } from '../../../core/records.ts';
import type { Page, PageRequest } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import type { RouteContext } from '../../routes/route-context.ts';
import { Closed, IsoSeconds, isoSeconds } from '../../routes/schemas.ts';
import type { NotificationJson } from '../notifications/notification-settings.ts';
import { DrinkJson, drinkJsonFor } from '../shared/drink-views.ts';
import { KeyJson, keyJson } from '../users/account.ts';
import { InvitationJson, invitationJson } from '../users/invitations.ts';
import { AttemptJson, attemptJson } from '../users/login-history.ts';
import { LoginJson, loginJson } from '../users/own-logins.ts';
import { CurrentUserJson, currentUserJson, TokenJson, tokenJson, UserParams } from '../users/user-views.ts';

/** Most rows of a list in an export: more than five drinks a day for five years, and about 5 MB. */
const maxRows = 10_000;

const pageSize = 1_000;

const exportJson = ({ SettingsJson }: NotificationJson) =>
  Closed({
    exported_time: { ...IsoSeconds, description: 'UTC time of this answer.' },
    user: CurrentUserJson,
    aliases: Type.Array(Type.String(), { description: 'Earlier names, at most ten.' }),
    tokens: Type.Array(TokenJson, { description: 'Auth tokens, newest first.' }),
    api_keys: Type.Array(KeyJson, { description: 'API keys without their secrets, newest first.' }),
    logins: Type.Array(LoginJson, { description: 'Valid logins, newest first.' }),
    login_history_total: Type.Integer({ minimum: 0, description: 'Number of entries of the login history.' }),
    login_history: Type.Array(AttemptJson, {
      description:
        'Logins and attempts to log in, newest first, at most 10 000; they are kept for 90 days. As in `listLoginHistory`.',
    }),
    invitations: Type.Array(InvitationJson, { description: 'Invitations sent, newest first.' }),
    notification_settings: Type.Array(SettingsJson, { description: 'Which notifications the user gets.' }),
    drinks_total: Type.Integer({ minimum: 0, description: 'Number of the drinks.' }),
    drinks: Type.Array(DrinkJson, {
      description: 'The drinks, newest first, at most 10 000; `listUserDrinks` has older ones.',
    }),
  });

const whatIsExported =
  'Account, earlier names, auth tokens, API keys, logins, login history, invitations, notification settings and drinks, in the shapes ' +
  'of the single operations. Passwords, PINs and secrets are stored as hashes only and are not among them; nor are the ' +
  'earlier times at which tokens were presented, which staff see.';

/** What is stored about a person, in one answer. */
export function exportRoutes(notifications: NotificationJson): readonly Route[] {
  const ExportJson = exportJson(notifications);
  return [
    defineRoute({
      id: 'exportMe',
      method: 'get',
      path: '/users/me/export',
      summary: 'Get all that is stored about you',
      description: whatIsExported,
      access: 'member',
      accepts: {},
      replies: { status: 200, body: ExportJson },
      run: (context) => exportOf(context, context.user!, notifications),
    }),
    // The same about another person, who asked for it.
    defineRoute({
      id: 'exportUser',
      method: 'get',
      path: '/users/{username}/export',
      summary: 'Get all that is stored about a user, for a request of that person',
      description: `For superusers by login, within five minutes after \`confirmPassword\`, since it has the e-mail address. ${whatIsExported}`,
      access: 'confirmed-superuser',
      accepts: { params: UserParams },
      replies: { status: 200, body: ExportJson },
      run(context, { params: { username } }) {
        const user = context.engine.users.user(username);
        if (user) return exportOf(context, user, notifications);
        throw new AppError('not_found', `There is no user “${username}”.`, { reason: { name: 'not_found' } });
      },
    }),
  ];
}

function exportOf(
  { engine, login, now }: RouteContext,
  user: User,
  { toJson }: NotificationJson,
): Static<ReturnType<typeof exportJson>> {
  const { id, username } = user;
  const page = { limit: pageSize };
  const drinks = readPages((request) => engine.lists.drinks({ ...request, username }));
  const history = readPages((request) => engine.users.loginLog.ofUser(user, request));
  return {
    exported_time: isoSeconds(now.wallMs),
    user: currentUserJson(user),
    aliases: [...engine.users.aliases(user)],
    tokens: engine.access.tokens.list({ ...page, username }).items.map(tokenJson),
    api_keys: engine.users.ownKeys.list(id, page).items.map((key) => keyJson(key, username)),
    logins: engine.users.logins.list(user, now).map((one) => loginJson(one, login)),
    login_history_total: history.total,
    login_history: history.items.map(attemptJson),
    invitations: engine.users.invitations.list(user, page, now).items.map(invitationJson),
    notification_settings: engine.notifications.list(user).map((one) => toJson(one, username)),
    drinks_total: drinks.total,
    drinks: drinks.items.map(drinkJsonFor({ engine, user, tablet: null })),
  };
}

/** The newest rows of a list, page by page, and how many there are. */
function readPages<T extends { readonly id: number }>(
  read: (page: PageRequest) => Page<T>,
): { readonly total: number; readonly items: readonly T[] } {
  const { total, items: newest } = read({ limit: pageSize });
  const items = [...newest];
  for (let page = newest; page.length === pageSize && items.length < maxRows; ) {
    const start = page.at(-1)!.id - 1;
    if (start === 0) break;
    page = read({ start, limit: pageSize }).items;
    items.push(...page);
  }
  return { total, items };
}
