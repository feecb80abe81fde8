import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { WebhookView } from '../../../engine/engine.ts';
import { actorContext } from '../../auth/actor-context.ts';
import type { WebhookTester } from '../../ports.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { Closed, Id, Maybe, named, Open } from '../../routes/schemas.ts';

const Url = Type.String({ minLength: 1, maxLength: 2_000, description: 'Web address, http or https.' });
const Count = Type.Integer({ minimum: 0 });

const WebhookJson = named(
  'Webhook',
  Closed({
    id: Id,
    url: Url,
    is_enabled: Type.Boolean({ description: 'While it is not, nothing is told to it.' }),
    num_waiting: Count,
    num_dead: Type.Integer({
      minimum: 0,
      description: 'Messages that were given up; `/admin/outbox` has them.',
    }),
  }),
);

const WebhookReply = Closed({ webhook: WebhookJson });
const params = Open({ id: Id });
const staff = { access: 'staff' } as const;

/** Who hears of every event, one by one; the same receivers as in the settings of the plugin. For staff. */
export const webhookRoutes = (tester: WebhookTester | undefined): readonly Route[] => [
  defineRoute({
    ...staff,
    id: 'listWebhooks',
    method: 'get',
    path: '/admin/webhooks',
    summary: 'Web addresses that hear of every event, in the order they were added',
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
    ...staff,
    id: 'addWebhook',
    method: 'post',
    path: '/admin/webhooks',
    summary: 'Tell every event to one more address; ten at most',
    accepts: { body: Closed({ url: Url }) },
    replies: { status: 201, body: WebhookReply },
    run: (context, { body }) => ({
      webhook: webhookJson(context.engine.webhooks.add(body.url, actorContext(context))),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'changeWebhook',
    method: 'patch',
    path: '/admin/webhooks/{id}',
    summary: 'Give it another address, or switch it off or on',
    accepts: { params, body: Closed({ url: Maybe(Url), is_enabled: Maybe(Type.Boolean()) }) },
    replies: { status: 200, body: WebhookReply },
    run(context, { params: { id }, body: { url, is_enabled: isEnabled } }) {
      const changes = {
        ...(url === undefined ? {} : { url }),
        ...(isEnabled === undefined ? {} : { isEnabled }),
      };
      return { webhook: webhookJson(context.engine.webhooks.edit(id, changes, actorContext(context))) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'deleteWebhook',
    method: 'delete',
    path: '/admin/webhooks/{id}',
    summary: 'Tell it nothing any more; what waits for it is thrown away',
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
    summary: 'Call it now with the event `test` and wait for its answer; 409 says what is wrong',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    async run(_context, { params: { id } }) {
      if (tester === undefined) throw new AppError('unavailable', 'This program calls no webhooks now.');
      await tester.sendTest(id);
      return {};
    },
  }),
  defineRoute({
    ...staff,
    id: 'createWebhookSecret',
    method: 'post',
    path: '/admin/webhook-secret',
    summary: 'Sign what is sent with a new secret; this answer is the only one that shows it',
    accepts: {},
    replies: { status: 201, body: Closed({ secret: Type.String() }) },
    run: (context) => ({ secret: context.engine.webhooks.makeSecret(actorContext(context)) }),
  }),
];

const webhookJson = (webhook: WebhookView): Static<typeof WebhookJson> => ({
  id: webhook.id,
  url: webhook.url,
  is_enabled: webhook.isEnabled,
  num_waiting: webhook.waiting,
  num_dead: webhook.dead,
});
