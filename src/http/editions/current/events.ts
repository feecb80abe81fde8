import Type from 'typebox';
import { KegError } from '../../../core/keg-error.ts';
import { defineRoute } from '../../route.ts';
import { Closed, Id, Maybe, Open } from '../../schemas.ts';
import { EventJson, EventKind, eventJson } from './diary-views.ts';
import { UsernameFilter } from './drinks.ts';
import { PagingJson, pageFields, pageOf, pagingJson } from './paging.ts';

export const listEvents = defineRoute({
  id: 'listEvents',
  method: 'get',
  path: '/events',
  summary: 'What happened, the newest first',
  access: 'viewer',
  accepts: {
    query: Open({
      ...pageFields,
      since: Maybe(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Only events with a greater id.',
        }),
      ),
      kind: Maybe(EventKind),
      user: Maybe(UsernameFilter),
      keg: Maybe(Id),
      session: Maybe(Id),
    }),
  },
  replies: { status: 200, body: Closed({ paging: PagingJson, events: Type.Array(EventJson) }) },
  run({ engine }, { query }) {
    const { since, kind, user, keg, session } = query;
    const page = engine.lists.events({
      ...pageOf(query),
      ...(since === undefined ? {} : { since }),
      ...(kind === undefined ? {} : { kind }),
      ...(user === undefined ? {} : { username: user }),
      ...(keg === undefined ? {} : { kegId: keg }),
      ...(session === undefined ? {} : { sessionId: session }),
    });
    return { paging: pagingJson(page), events: page.items.map(eventJson) };
  },
});

export const getEvent = defineRoute({
  id: 'getEvent',
  method: 'get',
  path: '/events/{id}',
  summary: 'One event',
  access: 'viewer',
  accepts: { params: Open({ id: Id }) },
  replies: { status: 200, body: Closed({ event: EventJson }) },
  run({ engine }, { params }) {
    const event = engine.lists.event(params.id);
    if (!event) throw new KegError('not_found', `There is no event ${params.id}.`);
    return { event: eventJson(event) };
  },
});

export const eventRoutes = [listEvents, getEvent];
