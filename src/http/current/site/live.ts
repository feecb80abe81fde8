import { PourMessage, SnapshotMessage } from '../../live/shapes.ts';
import { defineRawRoute, type Route } from '../../routes/route.ts';
import type { RouteServices } from '../../services.ts';

/** Server-sent events: first the complete state, then every change. */
export const liveRoutes = ({ live }: Pick<RouteServices, 'live'>): readonly Route[] => [
  defineRawRoute({
    id: 'live',
    method: 'get',
    path: '/live',
    summary: 'Stream of taps, pours and drinks: events `snapshot` and `pour`',
    description:
      'Server-sent events over one open connection: first `snapshot` with all taps, the running pours and the ' +
      'newest drink, then `pour` for each change, up to twenty a second for each meter. Comments keep the connection open. ' +
      'Reconnect after it closes: the first event has the whole state again. The number of streams per address is ' +
      'limited (429, after five seconds). Only staff and shared tablets are told of held pours and problems of the machine: for others ' +
      '`held` is 0, `problems` is empty, and each meter that has a tap counts.',
    access: 'viewer',
    accepts: {},
    mediaType: 'text/event-stream',
    events: { snapshot: SnapshotMessage, pour: PourMessage },
    send: ({ address, isStillAllowed, actsAsStaff }, { response }) =>
      live.join({ response, address, isAllowed: isStillAllowed, actsAsStaff }),
  }),
];
