import Type from 'typebox';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Nullable } from '../../routes/schemas.ts';
import { plugins } from '../notifications/plugins.ts';
import { EventJson, eventJson, SessionJson, sessionJson } from '../shared/event-views.ts';
import { TapItemJson, tapItemJson } from '../shared/views.ts';
import { CurrentUserJson, currentUserJson } from '../users/user-views.ts';
import { SiteJson, siteJson } from './site-views.ts';

/** Number of events in the status. */
const newestEventCount = 20;

export const getMe = defineRoute({
  id: 'getMe',
  method: 'get',
  path: '/users/me',
  summary: 'What a page needs first: the requester’s own user and the site',
  access: 'open',
  allowedBeforeSetUp: true,
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      user: Nullable(CurrentUserJson),
      tablet: Nullable(
        Closed({
          name: Type.String({ description: 'Present when this browser is a shared tablet.' }),
        }),
      ),
      site: SiteJson,
      can_invite: Type.Boolean({
        description: 'Whether the requester may invite others and mail can be sent.',
      }),
      sends_mail: Type.Boolean({ description: 'Whether a password can be reset by mail.' }),
      have_sessions: Type.Boolean({ description: 'True once there is a session.' }),
      sso_login_url: Nullable(Type.String()),
      sso_logout_url: Nullable(Type.String()),
      plugins: Type.Array(Closed({ short_name: Type.String(), name: Type.String() })),
    }),
  },
  run: ({ engine, user, tablet }) => ({
    user: user && currentUserJson(user),
    tablet: tablet && { name: tablet.name },
    site: siteJson(engine),
    can_invite: engine.mail.isSet() && engine.invitations.mayInvite(user),
    sends_mail: engine.mail.isSet(),
    have_sessions: engine.lists.hasSessions(),
    sso_login_url: null,
    sso_logout_url: null,
    plugins: plugins.map(({ short_name, name }) => ({ short_name, name })),
  }),
});

export const getStatus = defineRoute({
  id: 'getStatus',
  method: 'get',
  path: '/status',
  summary: 'Overview: taps in their order, the running session and the newest events',
  access: 'viewer',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      site: SiteJson,
      taps: Type.Array(TapItemJson),
      active_session: Nullable(SessionJson),
      events: Type.Array(EventJson),
    }),
  },
  run({ engine, now }) {
    const session = engine.events.currentSession(now);
    return {
      site: siteJson(engine),
      taps: engine.taps.list().map(tapItemJson),
      active_session: session && sessionJson(session),
      events: engine.events.list({ limit: newestEventCount }).map(eventJson),
    };
  },
});
