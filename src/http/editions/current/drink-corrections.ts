import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { requestActor } from '../../doors/request-actor.ts';
import { AnyId, idIn } from '../../routes/any-id.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, Nullable, Open, TapRef, Ticks, VolumeMl } from '../../routes/schemas.ts';
import { unfit } from '../../routes/unfit.ts';
import { requireClaimant } from './claims.ts';
import {
  DrinkDetailJson,
  drinkDetailJson,
  isStaff,
  MaybeDrinkDetailJson,
  noDrinkJson,
  requireDrink,
  requireDrinkerOrStaff,
} from './drink-detail.ts';
import { DrinkJson, drinkJson } from './views.ts';

const params = Open({ id: Id });
const replies = { status: 200, body: DrinkDetailJson };

const Username = Type.String({
  maxLength: 128,
  description: 'Name of an account; `guest` and an empty text mean nobody.',
});

const editDrink = defineRoute({
  id: 'editDrink',
  method: 'patch',
  path: '/drinks/{id}',
  summary: 'Shout of a drink, by its drinker or staff; its volume, by staff',
  access: 'member',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      shout: Maybe(
        Type.String({ maxLength: 1000, description: 'What the drinker has to say; empty takes it away.' }),
      ),
      volume_ml: Maybe(VolumeMl),
    }),
  },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, user, now } = context;
    requireDrinkerOrStaff(context, id);
    if (body.volume_ml !== undefined && !isStaff(user)) {
      throw new AppError('not_allowed', 'The volume of a drink is for staff to change.', {
        reason: { name: 'volume_for_staff' },
      });
    }
    const changes = {
      ...(body.shout === undefined ? {} : { shout: body.shout }),
      ...(body.volume_ml === undefined ? {} : { volumeMl: body.volume_ml }),
      by: requestActor(context),
    };
    return drinkDetailJson(engine, engine.drinks.edit(id, changes, now));
  },
});

const reassignDrink = defineRoute({
  id: 'reassignDrink',
  method: 'post',
  path: '/drinks/{id}/reassign',
  summary: 'Give a drink to another drinker, or to nobody',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ username: Nullable(Username) }) },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const to = { username: body.username, by: requestActor(context) };
    return drinkDetailJson(engine, engine.drinks.reassign(id, to, now));
  },
});

const claimDrink = defineRoute({
  id: 'claimDrink',
  method: 'post',
  path: '/drinks/{id}/claim',
  summary: 'Say that a pour of nobody was one’s own, for ten minutes, where the house lets people',
  access: 'member',
  accepts: { params },
  replies,
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const { drink } = requireDrink(context, id);
    return drinkDetailJson(engine, engine.drinks.claim(drink.id, requireClaimant(context), now));
  },
});

const unclaimDrink = defineRoute({
  id: 'unclaimDrink',
  method: 'delete',
  path: '/drinks/{id}/claim',
  summary: 'Say that a pour claimed within ten minutes was not one’s own after all',
  access: 'member',
  accepts: { params },
  replies,
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const { drink } = requireDrink(context, id);
    return drinkDetailJson(engine, engine.drinks.unclaim(drink.id, requireClaimant(context), now));
  },
});

const cancelDrink = defineRoute({
  id: 'cancelDrink',
  method: 'delete',
  path: '/drinks/{id}',
  summary: 'Take a drink back with all that was charged for it; it can be undone',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    query: Open({
      spilled: Maybe(
        Type.Boolean({ description: 'True: the beer is gone all the same, as the keg’s loss.' }),
      ),
    }),
  },
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
  summary: 'Cut a drink in two: a part of it, by volume or by ticks, becomes a drink of its own',
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
  replies: { status: 201, body: Closed({ drink: DrinkJson, part: DrinkJson }) },
  run(context, { params: { id }, body: { volume_ml: volumeMl, ticks, username } }) {
    const { engine, now } = context;
    const split = {
      ...toSize(volumeMl, ticks),
      ...(username === undefined ? {} : { username }),
      by: requestActor(context),
    };
    const { first, part } = engine.drinks.split(id, split, now);
    return { drink: drinkJson(first.drink), part: drinkJson(part.drink) };
  },
});

const joinDrinks = defineRoute({
  id: 'joinDrinks',
  method: 'post',
  path: '/drinks/{id}/join',
  summary: 'Put another drink of the same keg and session into this one; this one’s drinker stays',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ drink_id: AnyId }) },
  replies,
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    const other = { otherId: idIn(body.drink_id), by: requestActor(context) };
    return drinkDetailJson(engine, engine.drinks.join(id, other, now));
  },
});

const moveDrink = defineRoute({
  id: 'moveDrink',
  method: 'post',
  path: '/drinks/{id}/move',
  summary: 'Charge a drink to another keg, to none, or to a tap and the keg that is on it',
  access: 'staff',
  byPin: true,
  accepts: { params, body: Closed({ keg_id: Maybe(Nullable(AnyId)), tap: Maybe(TapRef) }) },
  replies,
  run(context, { params: { id }, body: { keg_id: kegId, tap } }) {
    const { engine, now } = context;
    const by = requestActor(context);
    if ((kegId === undefined) === (tap === undefined))
      throw unfit('keg_id', 'or tap is needed, one of them', { name: 'either', other: 'tap' });
    const to = tap === undefined ? { kegId: kegId == null ? null : idIn(kegId), by } : { tap, by };
    return drinkDetailJson(engine, engine.drinks.move(id, to, now));
  },
});

const undoDrink = defineRoute({
  id: 'undoDrink',
  method: 'post',
  path: '/drinks/{id}/undo',
  summary: 'Take back the latest correction of a drink; one that was cancelled comes back',
  access: 'staff',
  byPin: true,
  accepts: { params },
  replies: { status: 200, body: MaybeDrinkDetailJson },
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const view = engine.drinks.undo(id, { actor: requestActor(context) }, now);
    return view === null ? noDrinkJson : drinkDetailJson(engine, view);
  },
});

const undoCorrection = defineRoute({
  id: 'undoCorrection',
  method: 'post',
  path: '/corrections/{id}/undo',
  summary: 'Take back a correction by its number in the book of changes',
  access: 'staff',
  accepts: { params },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    context.engine.drinks.undoCorrection(id, { actor: requestActor(context) }, context.now);
    return {};
  },
});

/** What may be put right about a drink once it is in the ledger. */
export const drinkCorrectionRoutes: readonly Route[] = [
  editDrink,
  reassignDrink,
  claimDrink,
  unclaimDrink,
  cancelDrink,
  splitDrink,
  joinDrinks,
  moveDrink,
  undoDrink,
  undoCorrection,
];

function toSize(volumeMl: number | undefined, ticks: number | undefined) {
  if (volumeMl !== undefined && ticks === undefined) return { volumeMl };
  if (ticks !== undefined && volumeMl === undefined) return { ticks };
  throw unfit('volume_ml', 'or ticks is needed, one of them', { name: 'either', other: 'ticks' });
}
