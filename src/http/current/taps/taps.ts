import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Engine, TapView } from '../../../engine/engine.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Open, TapRef } from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';
import { tapItemJsonFor } from '../shared/staff-views.ts';
import { TapItemJson } from '../shared/tap-views.ts';

export const listTaps = defineRoute({
  id: 'listTaps',
  method: 'get',
  path: '/taps',
  summary: 'List taps with their kegs and beverages',
  description:
    'In the order of `sort_order`, all on one page. Each has its keg, the beverage in it, what comes next and the ' +
    'price of a serving. Staff also see the notes.',
  access: 'viewer',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      taps: Type.Array(TapItemJson, { description: 'All taps in the order of `sort_order`.' }),
    }),
  },
  run({ engine, user }) {
    const taps = engine.taps.list().map(tapItemJsonFor(user));
    return { paging: wholeListPaging(taps), taps };
  },
});

export const getTap = defineRoute({
  id: 'getTap',
  method: 'get',
  path: '/taps/{ref}',
  summary: 'Get a tap by its id or its meter’s name',
  description: 'Staff also see the notes of the tap and of its keg.',
  access: 'viewer',
  accepts: { params: Open({ ref: TapRef }) },
  replies: { status: 200, body: TapItemJson },
  run: ({ engine, user }, { params }) => tapItemJsonFor(user)(requireTapView(engine, params.ref)),
});

/** The tap with this id or meter name; throws 404. */
export function requireTapView(engine: Engine, ref: string): TapView {
  const tap = engine.taps.find(ref);
  if (!tap)
    throw new AppError('not_found', `No tap has the id or meter “${ref}”.`, {
      reason: { name: 'not_found' },
    });
  return tap;
}
