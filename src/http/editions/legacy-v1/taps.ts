import Type from 'typebox';
import { KegError } from '../../../core/keg-error.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { defineViewedRoute, view } from '../../route.ts';
import { Closed, Open, TapRef } from '../../schemas.ts';
import { TapKegbot, tapsKegbot } from './kegbot-taps.ts';
import { TapItemReference, tapItemReference } from './reference-views.ts';

interface Found {
  readonly engine: Engine;
  readonly taps: readonly TapView[];
}

export const listTaps = defineViewedRoute({
  id: 'listTaps',
  method: 'get',
  path: '/taps',
  summary: 'All taps with what is on them',
  access: 'viewer',
  accepts: {},
  status: 200,
  run: ({ engine }): Found => ({ engine, taps: engine.taps.list() }),
  views: {
    reference: view(Closed({ taps: Type.Array(TapItemReference) }), ({ taps }: Found) => ({
      taps: taps.map(tapItemReference),
    })),
    kegbot: view(Type.Array(TapKegbot), ({ engine, taps }: Found) =>
      tapsKegbot(engine, taps).sort((a, b) => a.name.localeCompare(b.name)),
    ),
  },
});

export const getTap = defineViewedRoute({
  id: 'getTap',
  method: 'get',
  path: '/taps/{ref}',
  summary: 'One tap, by its id or its meter’s name',
  access: 'viewer',
  accepts: { params: Open({ ref: TapRef }) },
  status: 200,
  run({ engine }, { params }) {
    const tap = engine.taps.find(params.ref);
    if (!tap) throw new KegError('not_found', `No tap has the id or meter “${params.ref}”.`);
    return { engine, tap };
  },
  views: {
    reference: view(TapItemReference, ({ tap }: { tap: TapView }) => tapItemReference(tap)),
    kegbot: view(
      TapKegbot,
      ({ engine, tap }: { engine: Engine; tap: TapView }) => tapsKegbot(engine, [tap])[0]!,
    ),
  },
});
