import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import { systemEventKinds } from '../../../core/system-events.ts';
import type { WebhookView } from '../../../engine/engine.ts';
import { Instant, parseInstant, validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';

const Url = Type.String({ minLength: 1, maxLength: 2_000, description: 'URL, http or https.' });

const EventKinds = Nullable(
  Type.Array(Type.Enum([...systemEventKinds], { description: 'Kind of event.' }), {
    maxItems: 16,
    description: 'The kinds of events that it receives; null for all.',
  }),
);

const WebhookJson = named(
  'Webhook',
  Closed(
    {
      id: Id,
      url: Url,
      is_enabled: Type.Boolean({ description: 'False: no events are sent to it.' }),
      event_kinds: EventKinds,
      num_waiting: Type.Integer({ minimum: 0, description: 'Messages that wait to be sent.' }),
      num_dead: Type.Integer({
        minimum: 0,
        description: 'Messages that were given up; see `/admin/outbox`.',
      }),
    },
    { description: 'A URL that receives events.' },
  ),
);

const WebhookReply = Closed({ webhook: WebhookJson });
const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const confirmedSuperuser = { access: 'confirmed-superuser' } as const;

/** Webhooks, which receive every event; the same URLs as in the plugin settings. For staff; superusers change them. */
export const webhookRoutes = ({ outbox }: Pick<RouteServices, 'outbox'>): readonly Route[] => [
  defineRoute({
    ...staff,
    id: 'listWebhooks',
    method: 'get',
    path: '/admin/webhooks',
    summary: 'List webhooks in the order they were added',
    description:
      'A webhook is a URL that receives every event of the site as JSON, at least once and in order. `is_signed` ' +
      'tells whether the calls are signed with a secret.',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        is_signed: Type.Boolean({ description: 'True when calls are signed with a secret.' }),
        webhooks: Type.Array(WebhookJson, { description: 'In the order they were added.' }),
      }),
    },
    run({ engine }) {
      const webhooks = engine.notifications.webhooks.list().map(webhookJson);
      return {
        paging: wholeListPaging(webhooks),
        is_signed: engine.notifications.webhooks.settings().secret !== null,
        webhooks,
      };
    },
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'addWebhook',
    method: 'post',
    path: '/admin/webhooks',
    summary: 'Add a webhook. Ten at most',
    description:
      'Needs a login whose password was confirmed within five minutes; keys are refused with 403. Events from then ' +
      'on are sent to it. A URL that is there already, and an eleventh one, are a 400. Written to the audit log.',
    accepts: { body: Closed({ url: Url }) },
    replies: { status: 201, body: WebhookReply },
    run: (context, { body }) => ({
      webhook: webhookJson(context.engine.notifications.webhooks.add(body.url, actorContext(context))),
    }),
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'changeWebhook',
    method: 'patch',
    path: '/admin/webhooks/{id}',
    summary: 'Change the URL of a webhook, choose its events, or switch it on or off',
    description:
      'Needs a login whose password was confirmed within five minutes; keys are refused with 403. Fields left out ' +
      'keep their values. Waiting messages follow the new URL. Written to the audit log.',
    accepts: {
      params,
      body: Closed({
        url: Maybe(Url),
        is_enabled: Maybe(Type.Boolean({ description: 'False: no events are sent to it.' })),
        event_kinds: Maybe(EventKinds),
      }),
    },
    replies: { status: 200, body: WebhookReply },
    run(context, { params: { id }, body: { url, is_enabled: isEnabled, event_kinds: eventKinds } }) {
      const changes = omitUndefined({ url, isEnabled, eventKinds });
      return {
        webhook: webhookJson(context.engine.notifications.webhooks.edit(id, changes, actorContext(context))),
      };
    },
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'deleteWebhook',
    method: 'delete',
    path: '/admin/webhooks/{id}',
    summary: 'Delete a webhook and its waiting messages',
    description:
      'Needs a login whose password was confirmed within five minutes; keys are refused with 403. Written to the ' +
      'audit log.',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.notifications.webhooks.remove(id, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'replayWebhook',
    method: 'post',
    path: '/admin/webhooks/{id}/replay',
    summary: 'Send the events of a span once more',
    description:
      'Queues the events from `from` until before `until`, of the kinds that the webhook receives, in order and at most as many as may ' +
      'wait (1 000). Receivers recognize a repetition by the id of the event. Written to the audit log.',
    accepts: {
      params,
      body: Closed({
        from: Instant('Beginning of the span.'),
        until: Maybe(Instant('End of the span, exclusive; now unless given.')),
      }),
    },
    errors: { conflict: ['webhook_off', 'too_many_events'] },
    replies: {
      status: 200,
      body: Closed({
        count: Type.Integer({ minimum: 0, description: 'Number of events that were queued.' }),
      }),
    },
    run(context, { params: { id }, body: { from, until } }) {
      const { engine, now } = context;
      const fromMs = parseInstant(engine, 'from', from);
      const untilMs = until === undefined ? now.wallMs : parseInstant(engine, 'until', until);
      if (untilMs <= fromMs) throw validationError('until', 'must be after from');
      return { count: engine.notifications.webhooks.replay(id, { fromMs, untilMs }, actorContext(context)) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'testWebhook',
    method: 'post',
    path: '/admin/webhooks/{id}/test',
    summary: 'Call a webhook with the event `test` and wait for its answer; 409 with the reason if it fails',
    description:
      'Also when it is switched off. The receiver must answer with a 2xx status within its time limit. Nothing is ' +
      'queued.',
    accepts: { params },
    errors: { conflict: [], unavailable: [] },
    replies: { status: 200, body: Closed({}) },
    async run(_context, { params: { id } }) {
      await outbox.webhookTester.sendTest(id);
      return {};
    },
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'createWebhookSecret',
    method: 'post',
    path: '/admin/webhook-secret',
    summary: 'Create a new secret for signing. Only this answer shows it',
    description:
      'Needs a login whose password was confirmed within five minutes; keys are refused with 403. Calls are signed ' +
      'with HMAC-SHA-256 from then on; the previous secret stops at once. Written to the audit log.',
    accepts: {},
    replies: {
      status: 201,
      body: Closed({ secret: Type.String({ description: 'The new secret; shown only here.' }) }),
    },
    run: (context) => ({ secret: context.engine.notifications.webhooks.createSecret(actorContext(context)) }),
  }),
];

const webhookJson = (webhook: WebhookView): Static<typeof WebhookJson> => ({
  id: webhook.id,
  url: webhook.url,
  is_enabled: webhook.isEnabled,
  event_kinds: webhook.eventKinds && [...webhook.eventKinds],
  num_waiting: webhook.waiting,
  num_dead: webhook.dead,
});
