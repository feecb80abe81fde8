import Type from 'typebox';
import type { Drink } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds } from '../../routes/schemas.ts';
import { SettingsJson, settingsJson } from '../notifications/notification-settings.ts';
import { DrinkJson, drinkJsonFor } from '../shared/drink-views.ts';
import { KeyJson, keyJson } from '../users/account.ts';
import { InvitationJson, invitationJson } from '../users/invitations.ts';
import { LoginJson, loginJson } from '../users/own-logins.ts';
import { CurrentUserJson, currentUserJson, TokenJson, tokenJson } from '../users/user-views.ts';

/** Most drinks in an export: more than five a day for five years, and about 5 MB. */
const maxDrinks = 10_000;

const pageSize = 1_000;

/** What is stored about the requester, in one answer. */
export const exportMe = defineRoute({
  id: 'exportMe',
  method: 'get',
  path: '/users/me/export',
  summary: 'Get all that is stored about you',
  description:
    'Account, earlier names, auth tokens, API keys, logins, invitations, notification settings and drinks, in the shapes ' +
    'of the single operations. Passwords, PINs and secrets are stored as hashes only and are not among them; nor are the ' +
    'times at which tokens were presented, which staff see.',
  access: 'member',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      exported_time: { ...IsoSeconds, description: 'UTC time of this answer.' },
      user: CurrentUserJson,
      aliases: Type.Array(Type.String(), { description: 'Names that you had before, at most ten.' }),
      tokens: Type.Array(TokenJson, { description: 'Auth tokens, newest first.' }),
      api_keys: Type.Array(KeyJson, { description: 'API keys without their secrets, newest first.' }),
      logins: Type.Array(LoginJson, { description: 'Valid logins, newest first.' }),
      invitations: Type.Array(InvitationJson, {
        description: 'Invitations that you have sent, newest first.',
      }),
      notification_settings: Type.Array(SettingsJson, { description: 'Which notifications you get.' }),
      drinks_total: Type.Integer({ minimum: 0, description: 'Number of your drinks.' }),
      drinks: Type.Array(DrinkJson, {
        description: 'Your drinks, newest first, at most 10 000; `listUserDrinks` has older ones.',
      }),
    }),
  },
  run({ engine, user, login, now }) {
    const { id, username } = user!;
    const page = { limit: pageSize };
    const drinks = listDrinks(engine, username);
    return {
      exported_time: isoSeconds(now.wallMs),
      user: currentUserJson(user!),
      aliases: [...engine.users.aliases(user!)],
      tokens: engine.tokens.list({ ...page, username }).items.map(tokenJson),
      api_keys: engine.ownKeys.list(id, page).items.map((key) => keyJson(key, username)),
      logins: engine.logins.list(user!, now).map((one) => loginJson(one, login)),
      invitations: engine.invitations.list(user!, page, now).items.map(invitationJson),
      notification_settings: engine.notifications.list(user!).map((one) => settingsJson(one, username)),
      drinks_total: drinks.total,
      drinks: drinks.items.map(drinkJsonFor({ user, tablet: null })),
    };
  },
});

function listDrinks(engine: Engine, username: string): { total: number; items: readonly Drink[] } {
  const { total, items: newest } = engine.lists.drinks({ username, limit: pageSize });
  const items = [...newest];
  for (let page = newest; page.length === pageSize && items.length < maxDrinks; ) {
    const start = page.at(-1)!.id - 1;
    if (start === 0) break;
    page = engine.lists.drinks({ username, start, limit: pageSize }).items;
    items.push(...page);
  }
  return { total, items };
}
