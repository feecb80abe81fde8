import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { WebhookView } from '../../../engine/engine.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, named, Open } from '../../routes/schemas.ts';
import type { RouteServices } from '../../services.ts';

const Url = Type.String({ minLength: 1, maxLength: 2_000, description: 'URL, http or https.' });
const Count = Type.Integer({ minimum: 0 });

const WebhookJson = named(
  'Webhook',
  Closed({
    id: Id,
    url: Url,
    is_enabled: Type.Boolean({ description: 'False: no events are sent to it.' }),
    num_waiting: Count,
    num_dead: Type.Integer({
      minimum: 0,
      description: 'Messages that were given up; see `/admin/outbox`.',
    }),
  }),
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
    accepts: {},
    replies: {
      status: 200,
      body: Closed({ is_signed: Type.Boolean(), webhooks: Type.Array(WebhookJson) }),
    },
    run: ({ engine }) => ({
      is_signed: engine.webhooks.settings().secret !== null,
      webhooks: engine.webhooks.list().map(webhookJson),
    }),
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'addWebhook',
    method: 'post',
    path: '/admin/webhooks',
    summary: 'Add a webhook. Ten at most',
    accepts: { body: Closed({ url: Url }) },
    replies: { status: 201, body: WebhookReply },
    run: (context, { body }) => ({
      webhook: webhookJson(context.engine.webhooks.add(body.url, actorContext(context))),
    }),
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'changeWebhook',
    method: 'patch',
    path: '/admin/webhooks/{id}',
    summary: 'Change the URL of a webhook, or switch it on or off',
    accepts: { params, body: Closed({ url: Maybe(Url), is_enabled: Maybe(Type.Boolean()) }) },
    replies: { status: 200, body: WebhookReply },
    run(context, { params: { id }, body: { url, is_enabled: isEnabled } }) {
      const changes = omitUndefined({ url, isEnabled });
      return { webhook: webhookJson(context.engine.webhooks.edit(id, changes, actorContext(context))) };
    },
  }),
  defineRoute({
    ...confirmedSuperuser,
    id: 'deleteWebhook',
    method: 'delete',
    path: '/admin/webhooks/{id}',
    summary: 'Delete a webhook and its waiting messages',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.webhooks.remove(id, actorContext(context));
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'testWebhook',
    method: 'post',
    path: '/admin/webhooks/{id}/test',
    summary: 'Call a webhook with the event `test` and wait for its answer; 409 with the reason if it fails',
    accepts: { params },
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
    accepts: {},
    replies: { status: 201, body: Closed({ secret: Type.String() }) },
    run: (context) => ({ secret: context.engine.webhooks.createSecret(actorContext(context)) }),
  }),
];

const webhookJson = (webhook: WebhookView): Static<typeof WebhookJson> => ({
  id: webhook.id,
  url: webhook.url,
  is_enabled: webhook.isEnabled,
  num_waiting: webhook.waiting,
  num_dead: webhook.dead,
});
