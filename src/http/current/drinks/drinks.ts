import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { User } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { IdParam, parseTimeSpan, timeSpanFields } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { Id, Maybe, Open, TapRef } from '../../routes/schemas.ts';
import { DrinkPageJson, drinkJsonFor, tickSeriesJson } from '../shared/drink-views.ts';
import { pagingJson, timedPageFields, toPageRequest } from '../shared/paging.ts';
import { toUserFilter, userFilterFields } from '../shared/user-filter.ts';
import { DrinkWithSeriesJson, drinkDetailJson, isStaff, requireDrink } from './drink-detail.ts';

export const listDrinks = defineRoute({
  id: 'listDrinks',
  method: 'get',
  path: '/drinks',
  summary: 'List drinks, newest first',
  description:
    'Filters may be combined; those left out select all drinks. Pours held for review are not drinks and are ' +
    'listed only with `is_valid=false`, which needs a staff account. Ordered by id, which is the order of ' +
    'recording. Staff also see the claimed username and, unless they act by PIN, the auth token.',
  access: 'viewer',
  accepts: {
    query: Open({
      ...timedPageFields,
      ...userFilterFields,
      unattributed: Maybe(
        Type.Boolean({ description: 'True lists only drinks without a user. Default false: all drinks.' }),
      ),
      claimed_username: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description:
            'Only drinks with which this username was sent although there was no such account, compared like usernames. Staff only.',
        }),
      ),
      auth_token: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description:
            'Only drinks without a user with which this auth token was sent: `device|value`, or the value alone if it was ' +
            'sent alone. Staff only.',
        }),
      ),
      keg: Maybe(Id),
      session: Maybe(IdParam),
      tap: Maybe(TapRef),
      ...timeSpanFields,
      is_valid: Maybe(
        Type.Boolean({ description: 'False lists the pours held for review, for staff only. Default true.' }),
      ),
    }),
  },
  errors: { no_key: ['staff_only'], not_allowed: ['staff_only'] },
  replies: { status: 200, body: DrinkPageJson },
  run(context, { query }) {
    const { engine } = context;
    const { is_valid: isValid = true, keg, session, tap, unattributed } = query;
    const { claimed_username: claimedUsername, auth_token: authToken } = query;
    if (!isValid) requireStaff(context.user, 'Held pours');
    if (claimedUsername !== undefined || authToken !== undefined)
      requireStaff(context.user, 'Names and tokens sent with pours');
    const page = engine.lists.drinks({
      ...toPageRequest(query),
      ...parseTimeSpan(engine, query),
      isValid,
      ...omitUndefined({
        username: toUserFilter(query),
        isUnattributed: unattributed,
        claimedUsername,
        authToken,
        kegId: keg,
        sessionId: session,
        tapId: tap === undefined ? undefined : requireTapId(engine, tap),
      }),
    });
    return { paging: pagingJson(page, context.addressWith), drinks: page.items.map(drinkJsonFor(context)) };
  },
});

export const getDrink = defineRoute({
  id: 'getDrink',
  method: 'get',
  path: '/drinks/{id}',
  summary: 'Get a drink with its keg, user, session and picture, and the times of its ticks',
  description:
    'A held pour is found by staff only; everybody else gets 404. The keg, user, session and picture are null ' +
    'where the drink has none; its corrections are listed by `GET /api/drinks/{id}/corrections`.',
  access: 'viewer',
  accepts: { params: Open({ id: Id }) },
  replies: { status: 200, body: DrinkWithSeriesJson },
  run(context, { params }) {
    const view = requireDrink(context, params.id);
    return { ...drinkDetailJson(context, view), series: tickSeriesJson(view.drink) };
  },
});

function requireStaff(user: User | null, what: string): void {
  if (user === null)
    throw new AppError('no_key', `${what} are shown to staff only: send the key of a staff account.`, {
      reason: { name: 'staff_only' },
    });
  if (!isStaff(user))
    throw new AppError('not_allowed', `${what} are shown to staff only.`, {
      reason: { name: 'staff_only' },
    });
}

function requireTapId(engine: Engine, ref: string): number {
  const found = engine.taps.find(ref);
  if (found) return found.tap.id;
  const allowed = 'must be the id of a tap or the name of its meter';
  throw new AppError('invalid_request', `tap ${allowed}.`, { fields: { tap: allowed } });
}
