import { defineRawRoute, type Route } from '../../routes/route.ts';
import type { RouteServices } from '../../services.ts';

/** Server-sent events: first the complete state, then every change. */
export const liveRoutes = ({ live }: Pick<RouteServices, 'live'>): readonly Route[] => [
  defineRawRoute({
    id: 'live',
    method: 'get',
    path: '/live',
    summary: 'Stream of taps, pours and drinks: events `snapshot` and `pour`',
    access: 'viewer',
    accepts: {},
    mediaType: 'text/event-stream',
    send: ({ address, isStillAllowed }, { response }) =>
      live.join({ response, address, isAllowed: isStillAllowed }),
  }),
];
