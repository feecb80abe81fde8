import Type from 'typebox';
import type { DrinkView, Engine } from '../../engine/engine.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { requestActor } from '../routes/route-context.ts';
import { Id, Maybe, Open } from '../routes/schemas.ts';
import { DrinkKegbot, drinkDetailKegbot } from './kegbot-drinks.ts';
import { DrinkDetailReference, drinkDetailReference } from './reference-views.ts';

interface CancelledDrink {
  readonly engine: Engine;
  /** The drink with its keg, user and session, as before the cancellation. */
  readonly view: DrinkView;
}

export const cancelDrink = defineViewedRoute({
  id: 'cancelDrink',
  method: 'post',
  path: '/cancel-drink',
  summary: 'Cancel a drink: keg, session and totals are reduced',
  description:
    'The drink is hidden from all lists, and the totals of keg, session and user are reduced. With `spilled`, its ' +
    'volume counts as spilled from the keg. Returns the drink with its keg, user and session as they were. Staff ' +
    'can restore it with the current API.',
  access: 'staff',
  accepts: {
    body: Open({
      id: { ...Id, description: 'Id of the drink.' },
      spilled: Maybe(Type.Boolean({ description: 'True: the volume is added to the keg’s spilled volume.' })),
    }),
  },
  errors: { not_found: ['not_found'], conflict: ['drink_held'] },
  status: 200,
  run(context, { body }): CancelledDrink {
    const { engine, now } = context;
    const input = { spilled: body.spilled ?? false, actor: requestActor(context) };
    return { engine, view: engine.drinks.cancel(body.id, input, now) };
  },
  views: {
    reference: view(DrinkDetailReference, (cancelled: CancelledDrink) =>
      drinkDetailReference(cancelled.view),
    ),
    kegbot: view(DrinkKegbot, (cancelled: CancelledDrink) =>
      drinkDetailKegbot(cancelled.engine, cancelled.view),
    ),
  },
});
