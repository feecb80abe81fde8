import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { IdParam } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { EventJson, EventKind, eventJsonFor } from '../shared/event-views.ts';
import { PagingJson, pagingJson, timedPageFields, toPageRequest } from '../shared/paging.ts';
import { toUserFilter, userFilterFields } from '../shared/user-filter.ts';

/** Longest long poll in seconds: proxies and phones close idle requests after about a minute. */
const maxWaitS = 60;

const listEvents = ({ pendingPolls }: Pick<RouteServices, 'pendingPolls'>) =>
  defineRoute({
    id: 'listEvents',
    method: 'get',
    path: '/events',
    summary: 'List events, newest first. With `since` and `wait`, a long poll for new ones',
    description:
      'Events report drinks, kegs and sessions to everybody who may read the site; they contain no e-mail addresses ' +
      'and no tokens. With a drink come its volume, its shout and its picture as they are now. For new ones, remember the highest id and ask with it as `since`: with `wait` the answer is ' +
      'delayed until there is a newer event or the time is over, and is then empty. Filters may be combined.',
    access: 'viewer',
    accepts: {
      query: Open({
        ...timedPageFields,
        since: Maybe(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'Only events with a greater id.',
          }),
        ),
        wait: Maybe(
          Type.Integer({
            minimum: 0,
            maximum: maxWaitS,
            'x-unit': 's',
            description:
              'With `since`: seconds to wait for a new event when there is none yet. The answer may come earlier.',
          }),
        ),
        kind: Maybe(EventKind),
        ...userFilterFields,
        keg: Maybe(Id),
        session: Maybe(IdParam),
      }),
    },
    errors: { no_key: [], unavailable: [] },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        events: Type.Array(EventJson, { description: 'The events of this page.' }),
      }),
    },
    async run({ engine, address, isStillAllowed, addressWith }, { query }) {
      const { since, wait, kind, keg, session } = query;
      const username = toUserFilter(query);
      const filter = omitUndefined({ since, kind, username, kegId: keg, sessionId: session });
      if (wait) {
        if (since === undefined) throw sinceRequired();
        const isReady = () => engine.lists.events({ ...filter, limit: 1 }).items.length > 0;
        await pendingPolls.wait({ address, isReady, timeoutMs: wait * 1_000 });
        // The site may have become private meanwhile, or the login may have ended.
        if (!isStillAllowed())
          throw new AppError('no_key', 'You may not read events any more. Log in again.');
      }
      const page = engine.lists.events({ ...toPageRequest(query), ...filter });
      return { paging: pagingJson(page, addressWith), events: page.items.map(eventJsonFor(engine)) };
    },
  });

const getEvent = defineRoute({
  id: 'getEvent',
  method: 'get',
  path: '/events/{id}',
  summary: 'Get an event',
  description: 'An event keeps its ids when the drink, keg or session it reports changes later.',
  access: 'viewer',
  accepts: { params: Open({ id: Id }) },
  replies: { status: 200, body: Closed({ event: EventJson }) },
  run({ engine }, { params }) {
    const event = engine.lists.event(params.id);
    if (!event)
      throw new AppError('not_found', `There is no event ${params.id}.`, { reason: { name: 'not_found' } });
    return { event: eventJsonFor(engine)(event) };
  },
});

export const eventRoutes = (services: Pick<RouteServices, 'pendingPolls'>): readonly Route[] => [
  listEvents(services),
  getEvent,
];

function sinceRequired(): AppError {
  const allowed = 'requires since: the id of the newest event you have';
  return new AppError('invalid_request', `wait ${allowed}.`, { fields: { wait: allowed } });
}
