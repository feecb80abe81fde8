import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, Open, TapRef, Ticks, VolumeMl } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { DrinkJson, drinkJsonFor } from '../shared/drink-views.ts';
import { requireClaimant } from './claims.ts';
import {
  DrinkDetailJson,
  drinkDetailJson,
  isStaff,
  requireDrink,
  requireDrinkerOrStaff,
} from './drink-detail.ts';
import { undoCorrectionRoute, undoDrink } from './drink-undo.ts';

const params = Open({ id: Id });
const replies = { status: 200, body: DrinkDetailJson };

const Username = Type.String({
  maxLength: 128,
  description: 'Username; `guest` or an empty string means nobody.',
});

const editDrink = defineRoute({
  id: 'editDrink',
  method: 'patch',
  path: '/drinks/{id}',
  summary: 'Change a drink: the shout by its drinker or staff, the volume by staff only',
  description:
    'Fields left out keep their values. A new volume changes the totals of the keg, the session and the drinker ' +
    'in the same transaction, is written to the audit log and can be undone. The ticks stay as counted.',
  access: 'member',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      shout: Maybe(Type.String({ maxLength: 1000, description: 'The drinker’s comment; empty removes it.' })),
      volume_ml: Maybe(VolumeMl),
    }),
  },
  errors: { not_allowed: ['own_drinks_only', 'volume_for_staff'], conflict: ['drink_held'] },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, user, now } = context;
    requireDrinkerOrStaff(context, id);
    if (body.volume_ml !== undefined && !isStaff(user)) {
      throw new AppError('not_allowed', 'Only staff may change the volume of a drink.', {
        reason: { name: 'volume_for_staff' },
      });
    }
    const changes = {
      ...omitUndefined({ shout: body.shout, volumeMl: body.volume_ml }),
      actor: requestActor(context),
    };
    return drinkDetailJson(context, engine.drinks.edit(id, changes, now));
  },
});

const countDrinkAsBeer = defineRoute({
  id: 'countDrinkAsBeer',
  method: 'post',
  path: '/drinks/{id}/count-as-beer',
  summary: 'Count all of a drink as beer, also what was taken for gas or foam',
  description:
    '`gas_ticks` and `foam_ticks` become 0, and the volume is that of all ticks, unless it was entered or reported. The totals of the ' +
    'keg, the session and the drinker change in the same transaction. Changes nothing where every tick counts already. ' +
    'Written to the audit log, and can be undone.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  errors: { conflict: ['drink_held'] },
  replies,
  run(context, { params: { id } }) {
    const { engine, now } = context;
    return drinkDetailJson(context, engine.drinks.countAsBeer(id, { actor: requestActor(context) }, now));
  },
});

const reassignDrink = defineRoute({
  id: 'reassignDrink',
  method: 'post',
  path: '/drinks/{id}/reassign',
  summary: 'Assign a drink to another user, or to nobody',
  description:
    'The statistics of both users change; keg and session do not. The user must exist: an unknown name is a 400. ' +
    'Written to the audit log, and can be undone with `POST /api/drinks/{id}/undo`.',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ username: Nullable(Username) }) },
  errors: { conflict: ['drink_held'] },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const to = { username: body.username, actor: requestActor(context) };
    return drinkDetailJson(context, engine.drinks.reassign(id, to, now));
  },
});

const claimDrink = defineRoute({
  id: 'claimDrink',
  method: 'post',
  path: '/drinks/{id}/claim',
  summary:
    'Claim a drink without a user as your own, within ten minutes of the pour, where claims are allowed',
  description:
    'Refused with 403 when the site does not allow claims, and with 409 when the drink has a user or its ten ' +
    'minutes are over. Has the same effect as an assignment by staff.',
  access: 'member',
  accepts: { params },
  errors: { not_allowed: ['no_claims'], conflict: ['drink_held', 'drink_has_user', 'drink_too_old'] },
  replies,
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const { drink } = requireDrink(context, id);
    return drinkDetailJson(context, engine.drinks.claim(drink.id, requireClaimant(context), now));
  },
});

const unclaimDrink = defineRoute({
  id: 'unclaimDrink',
  method: 'delete',
  path: '/drinks/{id}/claim',
  summary: 'Withdraw your own claim, within ten minutes of the pour',
  description:
    'The drink belongs to nobody again. Refused with 409 when you did not claim it yourself or its ten minutes ' +
    'are over.',
  access: 'member',
  accepts: { params },
  errors: { not_allowed: ['no_claims'], conflict: ['drink_held', 'claim_expired'] },
  replies,
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const { drink } = requireDrink(context, id);
    return drinkDetailJson(context, engine.drinks.unclaim(drink.id, requireClaimant(context), now));
  },
});

const cancelDrink = defineRoute({
  id: 'cancelDrink',
  method: 'delete',
  path: '/drinks/{id}',
  summary: 'Cancel a drink: keg, session and totals are reduced. Can be undone',
  description:
    'The drink is hidden from all lists and the totals of keg, session and drinker are reduced. With `spilled`, ' +
    'its volume counts as spilled from the keg instead of going back into it. Written to the audit log; `POST ' +
    '/api/drinks/{id}/undo` restores it.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    query: Open({
      spilled: Maybe(Type.Boolean({ description: 'True: the volume is added to the keg’s spilled volume.' })),
    }),
  },
  errors: { conflict: ['drink_held'] },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id }, query }) {
    const { engine, now } = context;
    engine.drinks.cancel(id, { spilled: query.spilled ?? false, actor: requestActor(context) }, now);
    return {};
  },
});

const splitDrink = defineRoute({
  id: 'splitDrink',
  method: 'post',
  path: '/drinks/{id}/split',
  summary: 'Split a drink in two: a part, given by volume or ticks, becomes a new drink',
  description:
    'Send exactly one of `volume_ml` and `ticks`, less than the drink has. The new drink has the same keg, ' +
    'session and time; without `username` it also keeps the user. The sums stay the same. Can be undone.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      volume_ml: Maybe(VolumeMl),
      ticks: Maybe(Ticks),
      username: Maybe(Nullable(Username)),
    }),
  },
  errors: { conflict: ['drink_held'] },
  replies: { status: 201, body: Closed({ drink: DrinkJson, part: DrinkJson }) },
  run(context, { params: { id }, body: { volume_ml: volumeMl, ticks, username } }) {
    const { engine, now } = context;
    const split = {
      ...toSize(volumeMl, ticks),
      ...omitUndefined({ username }),
      actor: requestActor(context),
    };
    const { first, part } = engine.drinks.split(id, split, now);
    const toJson = drinkJsonFor(context);
    return { drink: toJson(first.drink), part: toJson(part.drink) };
  },
});

const joinDrinks = defineRoute({
  id: 'joinDrinks',
  method: 'post',
  path: '/drinks/{id}/join',
  summary: 'Join another drink of the same keg and session into this one, which keeps its drinker',
  description:
    'Volume and ticks are added to the drink of the path, and the other drink disappears. Both must be of the ' +
    'same keg and session, otherwise 409. Can be undone.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      drink_id: { ...AnyId, description: 'Id of the drink that is joined into this one and disappears.' },
    }),
  },
  errors: {
    conflict: [
      'drink_held',
      'different_kegs',
      'different_sessions',
      'different_meters',
      'time_uncertain',
      'gas_and_entered',
      'sum_too_large',
    ],
  },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const other = { otherId: toId(body.drink_id), actor: requestActor(context) };
    return drinkDetailJson(context, engine.drinks.join(id, other, now));
  },
});

const moveDrink = defineRoute({
  id: 'moveDrink',
  method: 'post',
  path: '/drinks/{id}/move',
  summary: 'Move a drink to another keg, to no keg, or to a tap and its current keg',
  description:
    'Send exactly one of `keg_id` and `tap`. The totals of both kegs change in the same transaction; session and ' +
    'drinker stay. A `keg_id` of null takes the drink off its keg. Can be undone.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      keg_id: Maybe(Nullable({ ...AnyId, description: 'Id of the keg; null for none.' })),
      tap: Maybe({
        ...TapRef,
        description: 'A tap by its id or its meter’s name: the drink moves to the keg that is on it now.',
      }),
    }),
  },
  errors: { conflict: ['drink_held'] },
  replies,
  run(context, { params: { id }, body: { keg_id: kegId, tap } }) {
    const { engine, now } = context;
    const actor = requestActor(context);
    if ((kegId === undefined) === (tap === undefined))
      throw validationError('keg_id', 'or tap is required, exactly one of them', {
        name: 'either',
        other: 'tap',
      });
    const to = tap === undefined ? { kegId: kegId == null ? null : toId(kegId), actor } : { tap, actor };
    return drinkDetailJson(context, engine.drinks.move(id, to, now));
  },
});

/** Routes that correct recorded drinks. */
export const drinkCorrectionRoutes = (services: Pick<RouteServices, 'counting'>): readonly Route[] => [
  editDrink,
  countDrinkAsBeer,
  reassignDrink,
  claimDrink,
  unclaimDrink,
  cancelDrink,
  splitDrink,
  joinDrinks,
  moveDrink,
  undoDrink,
  undoCorrectionRoute(services),
];

function toSize(volumeMl: number | undefined, ticks: number | undefined) {
  if (volumeMl !== undefined && ticks === undefined) return { volumeMl };
  if (ticks !== undefined && volumeMl === undefined) return { ticks };
  throw validationError('volume_ml', 'or ticks is required, exactly one of them', {
    name: 'either',
    other: 'ticks',
  });
}
