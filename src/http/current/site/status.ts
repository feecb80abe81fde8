import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { User } from '../../../core/records.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { type RouteContext, requestActor, requireSiteAddress } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { plugins } from '../notifications/plugins.ts';
import { EventJson, eventJsonFor, SessionJson, sessionJson } from '../shared/event-views.ts';
import { TapItemJson, tapItemJson } from '../shared/tap-views.ts';
import { CurrentUserJson, currentUserJson, DisplayName, NotificationLanguage } from '../users/user-views.ts';
import { SiteJson, siteJson } from './site-views.ts';

/** Number of events in the status. */
const newestEventCount = 20;

const MeReply = Closed({
  user: Nullable(CurrentUserJson),
  tablet: Nullable(
    Closed(
      {
        name: Type.String({ description: 'Name of the shared tablet that this browser is.' }),
      },
      { description: 'The shared tablet that this browser is; null for others.' },
    ),
  ),
  site: SiteJson,
  can_invite: Type.Boolean({
    description: 'Whether the requester may invite others and mail can be sent.',
  }),
  sends_mail: Type.Boolean({ description: 'Whether a password can be reset by mail.' }),
  have_sessions: Type.Boolean({ description: 'True once there is a session.' }),
  sso_login_url: Nullable(Type.String({ description: 'Always null: there is no single sign-on.' })),
  sso_logout_url: Nullable(Type.String({ description: 'Always null: there is no single sign-on.' })),
  is_demo: Type.Boolean({ description: 'True for the demo, which offers a log-in to everybody.' }),
  features: Type.Array(Type.String(), {
    description: 'Names of the features that are on; see `GET /api/admin/features`.',
  }),
  plugins: Type.Array(
    Closed({
      short_name: Type.String({ description: 'Short name.' }),
      name: Type.String({ description: 'Name to show.' }),
    }),
    { description: 'Built-in plugins.' },
  ),
});

const meJson = (
  { engine, tablet }: Pick<RouteContext, 'engine' | 'tablet'>,
  user: User | null,
  isDemo: boolean,
): Static<typeof MeReply> => ({
  user: user && currentUserJson(user),
  tablet: tablet && { name: tablet.name },
  site: siteJson(engine),
  can_invite: engine.notifications.mail.isSet() && engine.users.invitations.mayInvite(user),
  sends_mail: engine.notifications.mail.isSet(),
  have_sessions: engine.lists.hasSessions(),
  sso_login_url: null,
  sso_logout_url: null,
  is_demo: isDemo,
  features: engine.site.features.list().flatMap(({ name, isOn }) => (isOn ? [name] : [])),
  plugins: plugins.map(({ short_name, name }) => ({ short_name, name })),
});

const getMe = (isDemo: boolean) =>
  defineRoute({
    id: 'getMe',
    method: 'get',
    path: '/users/me',
    summary: 'What a page needs first: the requester’s own user and the site',
    description:
      'The user is null for somebody who is not logged in; `tablet` is set on a shared tablet. Answers before the ' +
      'set-up too, so that a page knows what to show.',
    access: 'open',
    allowedBeforeSetUp: true,
    accepts: {},
    replies: { status: 200, body: MeReply },
    run: (context) => meJson(context, context.user, isDemo),
  });

const changeMe = (isDemo: boolean) =>
  defineRoute({
    id: 'changeMe',
    method: 'patch',
    path: '/users/me',
    summary: 'Change your own display name, language of mails or e-mail address',
    description:
      'Fields left out keep their values; a request with one wrong field changes nothing. Every request counts as one that ' +
      'may send a mail (429 beyond 20 in 15 minutes from one address). The display name and the language are written to ' +
      'the audit log. Answers what `GET /users/me` answers.',
    access: 'member',
    attempt: 'mail',
    writesCredential: { proof: 'confirmed-login', fields: ['email'] },
    accepts: {
      body: Closed({
        display_name: DisplayName,
        notification_language: Maybe(NotificationLanguage),
        email: Maybe(
          Type.String({
            minLength: 3,
            maxLength: 254,
            description:
              'A new address, 3 to 254 characters. A link is mailed to it; the address changes when the link is used ' +
              'within a day, so the answer shows the present one.',
          }),
        ),
      }),
    },
    errors: { conflict: ['no_mail', 'no_site_address'] },
    replies: { status: 200, body: MeReply },
    run(context, { body }) {
      const { engine, now, user } = context;
      const email =
        body.email === undefined ? undefined : { email: body.email, siteUrl: requireSiteAddress(context) };
      const changes = omitUndefined({
        displayName: body.display_name,
        notificationLanguage: body.notification_language,
        email,
      });
      return meJson(
        context,
        engine.users.accounts.changeOwn(user!, changes, requestActor(context), now),
        isDemo,
      );
    },
  });

/** The requester’s own user. */
export const meRoutes = ({ demo }: Pick<RouteServices, 'demo'>): readonly Route[] => [
  getMe(Boolean(demo)),
  changeMe(Boolean(demo)),
];

export const getStatus = defineRoute({
  id: 'getStatus',
  method: 'get',
  path: '/status',
  summary: 'Overview: taps in their order, the running session and the newest events',
  description:
    'For a page that shows the bar: one request instead of four. The twenty newest events are included. For ' +
    'changes use `GET /api/live` or `GET /api/events`.',
  access: 'viewer',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      site: SiteJson,
      taps: Type.Array(TapItemJson, { description: 'All taps in their order.' }),
      active_session: Nullable(SessionJson),
      events: Type.Array(EventJson, { description: 'The twenty newest events, newest first.' }),
    }),
  },
  run({ engine, now }) {
    const session = engine.drinks.events.currentSession(now);
    return {
      site: siteJson(engine),
      taps: engine.taps.list().map(tapItemJson),
      active_session: session && sessionJson(session),
      events: engine.drinks.events.list({ limit: newestEventCount }).map(eventJsonFor(engine)),
    };
  },
});
