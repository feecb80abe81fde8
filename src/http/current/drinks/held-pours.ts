import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Drink } from '../../../core/records.ts';
import type { ReducedDrink } from '../../../engine/drinks/corrections/reduced-drinks.ts';
import type { Engine } from '../../../engine/engine.ts';
import { AnyId, toId, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { type RouteContext, requestActor } from '../../routes/route-context.ts';
import {
  Closed,
  DurationSeconds,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  TapRef,
  TextId,
  Ticks,
  VolumeMl,
} from '../../routes/schemas.ts';
import {
  ClaimedUsernameJson,
  PourSourceJson,
  TickSeriesJson,
  TicksLostJson,
  tickSeriesJson,
} from '../shared/drink-views.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';
import { DrinkDetailJson, drinkDetailJson } from './drink-detail.ts';

const params = Open({ id: Id });

const HeldPourJson = named(
  'HeldPour',
  Closed(
    {
      id: Id,
      held_reason: Type.String({ description: 'Why it waits for review.' }),
      meter_name: Nullable(Type.String({ description: 'Name of the meter that counted it.' })),
      tap_id: Nullable({
        ...TextId,
        description: 'Id of the tap that owned the meter, as text; null without one.',
      }),
      suggested_tap_id: Nullable({
        ...TextId,
        description: 'Id of the tap that `keep` takes by default, as text; null when none fits.',
      }),
      suggested_keg_id: Nullable({
        ...Id,
        description: 'Id of the keg that was on that tap then, else now; null without one.',
      }),
      ticks: Ticks,
      volume_ml: VolumeMl,
      pour_time: IsoSeconds,
      duration: DurationSeconds,
      user_id: Nullable(
        Type.String({ maxLength: 128, description: 'Username of the drinker; null when unknown.' }),
      ),
      claimed_username: ClaimedUsernameJson,
      source: PourSourceJson,
      ticks_lost: TicksLostJson,
      rejected_edges: Type.Integer({
        minimum: 0,
        'x-unit': 'edges',
        description: 'Edges rejected as bounce, which are in no tick count.',
      }),
      series: TickSeriesJson,
    },
    { description: 'A pour held for review.' },
  ),
);

const ReducedDrinkJson = named(
  'ReducedDrink',
  Closed(
    {
      id: { ...Id, description: 'Id of the drink.' },
      tap_id: Nullable({ ...TextId, description: 'Id of its tap, as text; null without one.' }),
      pour_time: IsoSeconds,
      volume_ml: { ...VolumeMl, description: 'What counts, in millilitres.' },
      left_out_ml: {
        ...VolumeMl,
        description: 'What was left out, as if it were beer, by the meter’s present factor, in millilitres.',
      },
      taken_for: Type.Enum(['gas', 'foam'], {
        description:
          '`gas`: it came after the beer of a keg that may be empty. `foam`: before that of a fresh keg; a quarter of it counts.',
      }),
    },
    { description: 'A drink of which a part was taken for gas or foam.' },
  ),
);

const listHeldPours = defineRoute({
  id: 'listHeldPours',
  method: 'get',
  path: '/held-pours',
  summary: 'List pours held for review, newest first',
  description:
    'A pour is held when no tap owns its meter, or when it looks implausible: too fast, too long, or noise. It ' +
    'counts nowhere until staff keep it. `suggested_tap_id` and `suggested_keg_id` are what `keep` takes unless ' +
    'it is told otherwise. Every page also lists the drinks of the last 30 days of which more than 20 mL was taken for gas or foam, but not ' +
    'the gas of a keg that staff called empty: `POST /api/drinks/{id}/count-as-beer` counts all of one.',
  access: 'staff',
  byPin: true,
  accepts: { query: PageQuery },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      held_pours: Type.Array(HeldPourJson, { description: 'The held pours of this page.' }),
      reduced_drinks: Type.Array(ReducedDrinkJson, {
        description: 'Drinks without what was taken for gas or foam, newest first.',
      }),
    }),
  },
  run({ engine, addressWith, now }, { query }) {
    const page = engine.lists.drinks({ ...toPageRequest(query), isValid: false });
    return {
      paging: pagingJson(page, addressWith),
      held_pours: page.items.map((held) => heldPourJson(engine, held)),
      reduced_drinks: engine.drinks.reduced(now).map(reducedDrinkJson),
    };
  },
});

const keepHeldPour = defineRoute({
  id: 'keepHeldPour',
  method: 'post',
  path: '/held-pours/{id}/keep',
  summary:
    'Record a held pour as a drink on any tap, keg and user. Fields left out take the suggested values',
  description:
    'The pour becomes a drink at the time it was poured: keg, session and user totals are increased and the usual ' +
    'events are written. Written to the audit log; `POST /api/held-pours/{id}/undo` holds it again.',
  access: 'staff',
  byPin: true,
  accepts: {
    params,
    body: Closed({
      tap: Maybe(TapRef),
      keg_id: Maybe(
        Nullable({ ...AnyId, description: 'Id of the keg, null for none; the suggested one unless given.' }),
      ),
      username: Maybe(
        Type.String({
          maxLength: 128,
          description: 'Username of the drinker; empty or `guest` means nobody.',
        }),
      ),
    }),
  },
  errors: { conflict: ['drink_not_held'] },
  replies: { status: 200, body: DrinkDetailJson },
  run(context, { params: { id }, body }) {
    const { engine, now } = context;
    requireHeldPour(context, id);
    const input = {
      ...omitUndefined({
        tapId: body.tap === undefined ? undefined : requireTapId(engine, body.tap),
        kegId: body.keg_id === undefined ? undefined : body.keg_id === null ? null : toId(body.keg_id),
        username: body.username,
      }),
      actor: requestActor(context),
    };
    return drinkDetailJson(context, engine.drinks.keep(id, input, now));
  },
});

const discardHeldPour = defineRoute({
  id: 'discardHeldPour',
  method: 'post',
  path: '/held-pours/{id}/discard',
  summary: 'Discard a held pour. Can be undone',
  description:
    'The pour is kept in the database but counts nowhere. One that belongs to a cleaning is refused with 409. Written to the audit log.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  errors: { conflict: ['drink_not_held', 'drink_held'] },
  replies: { status: 200, body: Closed({}) },
  run(context, { params: { id } }) {
    requireHeldPour(context, id);
    context.engine.drinks.discard(id, { actor: requestActor(context) }, context.now);
    return {};
  },
});

const undoHeldPour = defineRoute({
  id: 'undoHeldPour',
  method: 'post',
  path: '/held-pours/{id}/undo',
  summary: 'Undo the review of a pour: it is held again',
  description:
    'Reverts `keep` or `discard`: the totals are reduced again if it had been kept. Refused with 409 when the ' +
    'pour was not reviewed.',
  access: 'staff',
  byPin: true,
  accepts: { params },
  errors: {
    conflict: [
      'not_corrected',
      'changed_by_calibration',
      'assigned_with_others',
      'corrected_since',
      'drink_gone',
      'keg_gone',
      'picture_since',
      'meter_gone',
      'calibrated_since',
    ],
  },
  replies: { status: 200, body: DrinkDetailJson },
  run(context, { params: { id } }) {
    const { engine, now } = context;
    const view = engine.drinks.undo(id, { actor: requestActor(context), onlyReview: true }, now);
    return drinkDetailJson(context, view!);
  },
});

/** Review of held pours. An implausible pour is held for staff and never dropped. */
export const heldPourRoutes: readonly Route[] = [listHeldPours, keepHeldPour, discardHeldPour, undoHeldPour];

function requireHeldPour({ engine }: RouteContext, id: number): void {
  if (engine.drinks.get(id) === null)
    throw new AppError('not_found', `There is no held pour ${id}.`, { reason: { name: 'not_found' } });
}

function requireTapId(engine: Engine, ref: string): number {
  const found = engine.taps.find(ref);
  if (found) return found.tap.id;
  throw validationError('tap', 'must be the id of a tap or the name of its meter', {
    name: 'exists',
    what: 'tap',
  });
}

const reducedDrinkJson = ({ drink, leftOutMl }: ReducedDrink): Static<typeof ReducedDrinkJson> => ({
  id: drink.id,
  tap_id: drink.tapId === null ? null : String(drink.tapId),
  pour_time: isoSeconds(drink.pourTimeMs),
  volume_ml: drink.volumeMl,
  left_out_ml: leftOutMl,
  taken_for: drink.gasTicks > 0 ? 'gas' : 'foam',
});

function heldPourJson(engine: Engine, held: Drink): Static<typeof HeldPourJson> {
  const suggested = engine.drinks.suggestedTap(held);
  return {
    id: held.id,
    held_reason: held.heldReason ?? '',
    meter_name: held.meter,
    tap_id: held.tapId === null ? null : String(held.tapId),
    suggested_tap_id: suggested === null ? null : String(suggested),
    suggested_keg_id: engine.drinks.suggestedKeg(held),
    ticks: held.ticks,
    volume_ml: held.volumeMl,
    pour_time: isoSeconds(held.pourTimeMs),
    duration: Math.round(held.durationMs / 1000),
    user_id: held.username,
    claimed_username: held.claimedUsername,
    source: held.source,
    ticks_lost: held.ticksLost,
    rejected_edges: held.rejectedEdges,
    series: tickSeriesJson(held),
  };
}
