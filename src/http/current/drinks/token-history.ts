import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, Open, TotalMl } from '../../routes/schemas.ts';
import { DrinkJson, drinkJsonFor } from '../shared/drink-views.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

const SeenJson = Closed({
  device: Type.String({
    maxLength: 128,
    description: 'Name of the controller to which it was presented last.',
  }),
  times: Type.Integer({ minimum: 1, description: 'How often it was presented.' }),
  last_seen: { ...IsoSeconds, description: 'UTC time at which it was presented last.' },
});

const UseJson = Closed({
  controller: Type.String({ description: 'Controller to which it was presented.' }),
  user: Nullable(Type.String({ description: 'Owner of the token at that time.' })),
  granted_time: Nullable({
    ...IsoSeconds,
    description: 'UTC time of the grant; null when only its end is known.',
  }),
  ended_reason: Nullable(
    Type.String({ description: 'Why it ended, as in `listGrants`; null while it lasts.' }),
  ),
  volume_ml: Nullable({
    ...TotalMl,
    description: 'Volume poured under it in millilitres; null when not known yet.',
  }),
});

/** Where a token was seen, and what was poured with it, for staff. */
export const getTokenHistory = defineRoute({
  id: 'getTokenHistory',
  method: 'get',
  path: '/admin/auth-tokens/{token}/history',
  summary: 'Get where an auth token was presented, and the drinks poured with it',
  description:
    'Staff only, and not by PIN. Drinks without a user are included; their token is that of the pour, also when the token ' +
    'has another owner now. Only controllers that report the token with the pour tell it.',
  access: 'staff',
  accepts: {
    params: Open({
      token: Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Device and value joined by `.` or `|`, such as `core.rfid.0089f2c4`.',
      }),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      token: TokenJson,
      seen: {
        ...Nullable(SeenJson),
        description: 'Its latest presentment; null when it was not presented lately.',
      },
      grants: Type.Array(UseJson, { description: 'The newest permissions to pour, at most 20.' }),
      drinks: Type.Array(DrinkJson, { description: 'The newest drinks, newest first, at most 20.' }),
      drinks_total: Type.Integer({ minimum: 0, description: 'Number of all drinks poured with it.' }),
    }),
  },
  run(context, { params }) {
    const { engine } = context;
    const token = engine.users.tokenByText(params.token);
    if (token === null)
      throw new AppError('not_found', 'There is no such auth token.', { reason: { name: 'not_found' } });
    const { seen, grants, drinks, drinkCount } = engine.drinks.tokenHistory.of(token);
    return {
      token: tokenJson(token),
      seen: seen && { device: seen.device, times: seen.times, last_seen: isoSeconds(seen.lastTimeMs) },
      grants: grants.map((grant) => ({
        controller: grant.device,
        user: grant.username,
        granted_time: grant.grantedTimeMs === null ? null : isoSeconds(grant.grantedTimeMs),
        ended_reason: grant.endedReason,
        volume_ml: grant.volumeMl,
      })),
      drinks: drinks.map(drinkJsonFor(context)),
      drinks_total: drinkCount,
    };
  },
});
