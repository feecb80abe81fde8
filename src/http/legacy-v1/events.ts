import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { SystemEvent } from '../../core/system-events.ts';
import type { Engine } from '../../engine/engine.ts';
import { parseNumber } from '../pipeline/body/form-values.ts';
import { defineViewedRoute, view } from '../routes/route.ts';
import {
  Closed,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
  named,
  Open,
  TextId,
} from '../routes/schemas.ts';
import { EventKegbot, eventDetailKegbot } from './kegbot-events.ts';

/** The legacy events feed shows at most ten events. */
const maxEvents = 10;

export const EventReference = named(
  'Event',
  Closed(
    {
      id: Id,
      kind: Type.String({ description: 'Kind of event, such as `drink_poured`.' }),
      time: { ...IsoSeconds, description: 'UTC time of what is reported.' },
      drink_id: Nullable({ ...Id, description: 'Id of the drink; null without one.' }),
      keg_id: Nullable({ ...Id, description: 'Id of the keg; null without one.' }),
      session_id: Nullable({ ...TextId, description: 'Id of the session; null without one.' }),
      user_id: Nullable(Type.String({ description: 'Username of the drinker; null without one.' })),
    },
    { description: 'An event of the site.' },
  ),
);

interface EventFeed {
  readonly engine: Engine;
  readonly events: readonly SystemEvent[];
  readonly nowMs: number;
}

export const listEvents = defineViewedRoute({
  id: 'listEvents',
  method: 'get',
  path: '/events',
  summary: 'List the newest events, at most ten, newest first',
  description:
    'A client that polls remembers the highest id and sends it as `since`. In the Kegbot form each event contains ' +
    'its drink, keg, session and user.',
  access: 'viewer',
  accepts: {
    query: Open({
      since: Maybe(
        Type.String({ description: 'Only events with a greater id; ignored unless it is a whole number.' }),
      ),
    }),
  },
  status: 200,
  run({ engine, now }, { query }): EventFeed {
    const since = parseSince(query.since);
    const events = engine.drinks.events.list({ limit: maxEvents, ...omitUndefined({ since }) });
    return { engine, events, nowMs: now.wallMs };
  },
  views: {
    reference: view(
      Closed({ events: Type.Array(EventReference, { description: 'Newest first, at most ten.' }) }),
      ({ events }: EventFeed) => ({
        events: events.map(eventReference),
      }),
    ),
    kegbot: view(Type.Array(EventKegbot), ({ engine, events, nowMs }: EventFeed) =>
      events.map((event) => eventDetailKegbot(engine, event, nowMs)),
    ),
  },
});

export const eventReference = (event: SystemEvent): Static<typeof EventReference> => ({
  id: event.id,
  kind: event.kind,
  time: isoSeconds(event.timeMs),
  drink_id: event.drinkId,
  keg_id: event.kegId,
  session_id: event.sessionId === null ? null : String(event.sessionId),
  user_id: event.username,
});

/** Ignores malformed ids: a polling page must not fail because of an id it stored long ago. */
function parseSince(text = ''): number | undefined {
  const id = parseNumber(text);
  if (id === undefined || !Number.isInteger(id)) return undefined;
  return Math.min(Math.max(id, 0), Number.MAX_SAFE_INTEGER);
}
