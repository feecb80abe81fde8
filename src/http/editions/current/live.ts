import type { LiveHub } from '../../live/hub.ts';
import { defineRawRoute, type Route } from '../../routes/route.ts';

/** The whole picture first, then every change, as server-sent events. */
export const liveRoutes = (hub: LiveHub): readonly Route[] => [
  defineRawRoute({
    id: 'live',
    method: 'get',
    path: '/live',
    summary: 'Taps, pours and drinks as they happen: events `house` and `pour`',
    access: 'viewer',
    accepts: {},
    mediaType: 'text/event-stream',
    send: ({ isStillAllowed }, { response }) => hub.join(response, isStillAllowed),
  }),
];
