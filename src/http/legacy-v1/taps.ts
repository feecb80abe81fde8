import Type from 'typebox';
import { AppError } from '../../core/app-error.ts';
import type { Engine, TapView } from '../../engine/engine.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import { Closed, Open, TapRef } from '../routes/schemas.ts';
import { tapFieldsJson } from '../routes/tap-fields.ts';
import { describeClosedTap } from './kegbot-lookups.ts';
import { TapKegbot, tapDetailKegbot, tapDetailsKegbot } from './kegbot-taps.ts';
import { TapItemReference, TapReference, tapItemReference } from './reference-views.ts';

interface AllTaps {
  readonly engine: Engine;
  readonly taps: readonly TapView[];
}

interface OneTap {
  readonly engine: Engine;
  readonly view: TapView;
}

export const listTaps = defineViewedRoute({
  id: 'listTaps',
  method: 'get',
  path: '/taps',
  summary: 'List taps with their kegs and beverages',
  description:
    'All taps on one page, each with its keg and beverage. In the Kegbot form they are sorted by name.',
  access: 'viewer',
  accepts: {},
  status: 200,
  run: ({ engine }): AllTaps => ({ engine, taps: engine.taps.list() }),
  // The engine returns the same list object until the database changes; controllers poll this route all day.
  cacheKey: ({ taps }) => taps,
  views: {
    reference: view(
      Closed({ taps: Type.Array(TapItemReference, { description: 'All taps.' }) }),
      ({ engine, taps }: AllTaps) => ({
        taps: taps.map((view) => tapItemReference(describeClosedTap(engine, view))),
      }),
    ),
    kegbot: view(Type.Array(TapKegbot), ({ engine, taps }: AllTaps) => tapDetailsKegbot(engine, taps)),
  },
});

export const createTap = defineViewedRoute({
  id: 'createTap',
  method: 'post',
  path: '/taps',
  summary: 'Create a tap without a keg',
  description: 'The tap has no meter, sensor or keg: staff connect them with the current API.',
  access: 'staff',
  accepts: {
    body: Open({
      name: Type.String({ minLength: 1, maxLength: 128, description: 'Name of the tap.' }),
    }),
  },
  status: 200,
  run({ engine }, { body }) {
    const { id } = engine.taps.create({ name: body.name });
    return { engine, view: engine.taps.find(id)! };
  },
  views: {
    reference: view(Closed({ tap: TapReference }), ({ view: { tap } }: OneTap) => ({
      tap: tapFieldsJson(tap),
    })),
    kegbot: view(TapKegbot, ({ engine, view: tap }: OneTap) => tapDetailKegbot(engine, tap)),
  },
});

export const getTap = defineViewedRoute({
  id: 'getTap',
  method: 'get',
  path: '/taps/{ref}',
  summary: 'Get a tap by its id or its meter’s name',
  description: 'With its keg and beverage. 404 when no tap has this id or meter.',
  access: 'viewer',
  accepts: { params: Open({ ref: TapRef }) },
  status: 200,
  run({ engine }, { params }) {
    const found = engine.taps.find(params.ref);
    if (!found) throw new AppError('not_found', `No tap has the id or meter “${params.ref}”.`);
    return { engine, view: found };
  },
  views: {
    reference: view(TapItemReference, ({ engine, view: tap }: OneTap) =>
      tapItemReference(describeClosedTap(engine, tap)),
    ),
    kegbot: view(TapKegbot, ({ engine, view: tap }: OneTap) => tapDetailKegbot(engine, tap)),
  },
});
