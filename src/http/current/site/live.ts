import type { LiveHub } from '../../live/hub.ts';
import { defineRawRoute, type Route } from '../../routes/route.ts';

/** Server-sent events: first the complete state, then every change. */
export const liveRoutes = (hub: LiveHub): readonly Route[] => [
  defineRawRoute({
    id: 'live',
    method: 'get',
    path: '/live',
    summary: 'Stream of taps, pours and drinks: events `snapshot` and `pour`',
    access: 'viewer',
    accepts: {},
    mediaType: 'text/event-stream',
    send: ({ isStillAllowed }, { response }) => hub.join(response, isStillAllowed),
  }),
];
