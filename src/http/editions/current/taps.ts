import Type from 'typebox';
import { KegError } from '../../../core/keg-error.ts';
import { defineRoute } from '../../route.ts';
import { Closed, Open, TapRef } from '../../schemas.ts';
import { TapItemJson, tapItemJson } from './views.ts';

export const listTaps = defineRoute({
  id: 'listTaps',
  method: 'get',
  path: '/taps',
  summary: 'All taps with what is on them',
  access: 'viewer',
  accepts: {},
  replies: { status: 200, body: Closed({ taps: Type.Array(TapItemJson) }) },
  run: ({ engine }) => ({ taps: engine.taps.list().map(tapItemJson) }),
});

export const getTap = defineRoute({
  id: 'getTap',
  method: 'get',
  path: '/taps/{ref}',
  summary: 'One tap, by its id or its meter’s name',
  access: 'viewer',
  accepts: { params: Open({ ref: TapRef }) },
  replies: { status: 200, body: TapItemJson },
  run({ engine }, { params }) {
    const tap = engine.taps.find(params.ref);
    if (!tap) throw new KegError('not_found', `No tap has the id or meter “${params.ref}”.`);
    return tapItemJson(tap);
  },
});
