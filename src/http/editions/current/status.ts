import Type from 'typebox';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Nullable } from '../../routes/schemas.ts';
import { EventJson, eventJson, SessionJson, sessionJson } from './event-views.ts';
import { plugins } from './plugins.ts';
import { SiteJson, siteJson } from './site-views.ts';
import { CurrentUserJson, currentUserJson } from './user-views.ts';
import { TapItemJson, tapItemJson } from './views.ts';

/** Lines of the diary in the picture. */
const newestEventCount = 20;

export const getMe = defineRoute({
  id: 'getMe',
  method: 'get',
  path: '/users/me',
  summary: 'What a page needs first: who asks, and what house this is',
  access: 'open',
  allowedBeforeSetUp: true,
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      user: Nullable(CurrentUserJson),
      tablet: Nullable(
        Closed({
          name: Type.String({ description: 'Present where this browser is a shared tablet of the house.' }),
        }),
      ),
      site: SiteJson,
      can_invite: Type.Boolean({
        description: 'Whether who asks may invite others, and the mails for it leave.',
      }),
      sends_mail: Type.Boolean({ description: 'Whether a forgotten password can be replaced by mail.' }),
      have_sessions: Type.Boolean({ description: 'True once anybody has drunk here.' }),
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
  summary: 'The house at a glance: taps in their order, who is at it, what happened last',
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
    const session = engine.diary.currentSession(now);
    return {
      site: siteJson(engine),
      taps: engine.taps.list().map(tapItemJson),
      active_session: session && sessionJson(session),
      events: engine.diary.events({ limit: newestEventCount }).map(eventJson),
    };
  },
});
