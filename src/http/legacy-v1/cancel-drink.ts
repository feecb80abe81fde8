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
  access: 'staff',
  accepts: {
    body: Open({
      id: Id,
      spilled: Maybe(Type.Boolean({ description: 'True: the volume is added to the keg’s spilled volume.' })),
    }),
  },
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
