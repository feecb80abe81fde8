import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { Engine, PluginDatum, WebhookSettings } from '../../../engine/engine.ts';
import { productVersion } from '../../../system/product.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest, wholeListPaging } from '../shared/paging.ts';

const PluginJson = named(
  'Plugin',
  Closed(
    {
      short_name: Type.String({ description: 'Short name, by which requests refer to it.' }),
      name: Type.String({ description: 'Name to show.' }),
      description: Type.String({ description: 'What it does, one sentence.' }),
      version: Type.String({ description: 'Version of the plugin.' }),
      url: Type.String({ description: 'Empty for a built-in plugin.' }),
      has_settings: Type.Boolean({ description: 'True when it has settings.' }),
    },
    { description: 'A built-in plugin.' },
  ),
);

/** The built-in plugins; third-party plugins are not loaded. */
export const plugins: readonly Static<typeof PluginJson>[] = [
  {
    short_name: 'webhook',
    name: 'Webhooks',
    description: 'Sends every event to URLs of your choice.',
    version: productVersion(),
    url: '',
    has_settings: true,
  },
];

const WebhookUrls = Type.String({
  maxLength: 25_000,
  description: 'Up to ten URLs, separated by spaces or line breaks.',
});

const WebhookSettingsJson = named(
  'WebhookSettings',
  Closed(
    {
      webhook_urls: Nullable(WebhookUrls),
      secret: Type.Null({ description: 'Never shown.' }),
      has_secret: Type.Boolean({ description: 'True when calls are signed with a secret.' }),
    },
    { description: 'The settings of the webhooks.' },
  ),
);

const DatumJson = named(
  'PluginDatum',
  Closed(
    {
      id: Id,
      plugin_name: Type.String({ description: 'Name of the program that stores it.' }),
      key: Type.String({ description: 'Unique within its program.' }),
      value: Type.Unknown({ description: 'Any JSON of up to 16 384 characters.' }),
    },
    { description: 'A stored value.' },
  ),
);

const datumFields = {
  plugin_name: Type.String({
    minLength: 1,
    maxLength: 127,
    description: 'Name of the program that stores it.',
  }),
  key: Type.String({ minLength: 1, maxLength: 127, description: 'Unique within its program.' }),
  value: Type.Unknown({ description: 'Any JSON of up to 16 384 characters.' }),
};

const ShortName = Open({
  short_name: Type.String({ minLength: 1, maxLength: 127, description: 'Short name of the plugin.' }),
});
const params = Open({ id: Id });
const staff = { access: 'staff' } as const;
const DatumReply = Closed({ plugin_datum: DatumJson });

/** Plugins, their settings and their stored data, for staff. */
export const pluginRoutes: readonly Route[] = [
  defineRoute({
    ...staff,
    id: 'listPlugins',
    method: 'get',
    path: '/admin/plugins',
    summary: 'List plugins',
    description: 'Plugins are built in; others cannot be installed.',
    accepts: {},
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        plugins: Type.Array(PluginJson, { description: 'The plugins.' }),
      }),
    },
    run: () => ({ paging: wholeListPaging(plugins), plugins: [...plugins] }),
  }),
  defineRoute({
    ...staff,
    id: 'getPluginSettings',
    method: 'get',
    path: '/admin/plugins/{short_name}/settings',
    summary: 'Get the settings of a plugin. `webhook` is the only plugin',
    description: 'Secrets are never shown.',
    accepts: { params: ShortName },
    replies: { status: 200, body: Closed({ settings: WebhookSettingsJson }) },
    run: ({ engine }, { params: { short_name: name } }) => ({
      settings: settingsJson(requireWebhookSettings(engine, name)),
    }),
  }),
  defineRoute({
    access: 'confirmed-superuser',
    id: 'changePluginSettings',
    method: 'put',
    path: '/admin/plugins/{short_name}/settings',
    summary: 'Change the webhook URLs and the secret. Without `secret` it stays; an empty one removes it',
    description:
      'For clients that set webhooks here; the same as `/api/admin/webhooks`. Needs a login whose password was ' +
      'confirmed within five minutes. Fields left out keep their values. Written to the audit log.',
    accepts: {
      params: ShortName,
      body: Closed({
        webhook_urls: Nullable(WebhookUrls),
        secret: Maybe(
          Nullable(
            Type.String({
              maxLength: 256,
              description: 'Key for signing bodies; at least 8 characters.',
            }),
          ),
        ),
      }),
    },
    replies: { status: 200, body: Closed({ settings: WebhookSettingsJson }) },
    run(context, { params: { short_name: name }, body }) {
      const { engine, now } = context;
      requireWebhookSettings(engine, name);
      const urls = (body.webhook_urls ?? '').split(/\s+/).filter((url) => url !== '');
      // Pages receive null instead of the secret and send it back unchanged.
      const secret = body.secret ?? undefined;
      const changes = { urls, ...omitUndefined({ secret }) };
      return {
        settings: settingsJson(engine.notifications.webhooks.change(changes, requestActor(context), now)),
      };
    },
  }),
  defineRoute({
    ...staff,
    id: 'listPluginData',
    method: 'get',
    path: '/plugin-data',
    summary: 'List stored plugin data, newest first',
    description: 'Values that programs beside Tapster store here, such as the zero point of a scale.',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        plugin_data: Type.Array(DatumJson, { description: 'The plugin data of this page.' }),
      }),
    },
    run({ engine, addressWith }, { query }) {
      const page = engine.notifications.pluginData.list(toPageRequest(query));
      return { paging: pagingJson(page, addressWith), plugin_data: page.items.map(datumJson) };
    },
  }),
  defineRoute({
    ...staff,
    id: 'addPluginDatum',
    method: 'post',
    path: '/plugin-data',
    summary: 'Store a value. A key is unique within its plugin',
    description:
      '409 when the plugin has a value for the key. A value may be any JSON of up to 16 384 characters. Written to ' +
      'the audit log.',
    accepts: { body: Closed(datumFields) },
    errors: { conflict: [] },
    replies: { status: 201, body: DatumReply },
    run: (context, { body }) => ({
      plugin_datum: datumJson(
        context.engine.notifications.pluginData.add(toDatum(body), actorContext(context)),
      ),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'getPluginDatum',
    method: 'get',
    path: '/plugin-data/{id}',
    summary: 'Get a stored value',
    description: '404 when there is none with this id.',
    accepts: { params },
    replies: { status: 200, body: DatumReply },
    run: ({ engine }, { params: { id } }) => ({
      plugin_datum: datumJson(engine.notifications.pluginData.get(id)),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'replacePluginDatum',
    method: 'put',
    path: '/plugin-data/{id}',
    summary: 'Replace a stored value',
    description:
      'All three fields are required. 409 when the plugin has another value for the key. Written to the audit log.',
    accepts: { params, body: Closed(datumFields) },
    errors: { conflict: [] },
    replies: { status: 200, body: DatumReply },
    run: (context, { params: { id }, body }) => ({
      plugin_datum: datumJson(
        context.engine.notifications.pluginData.change(id, toDatum(body), actorContext(context)),
      ),
    }),
  }),
  defineRoute({
    ...staff,
    id: 'changePluginDatum',
    method: 'patch',
    path: '/plugin-data/{id}',
    summary: 'Change the plugin, key or value of a stored value',
    description:
      'Fields left out keep their values. 409 when the plugin has another value for the key. Written to the audit ' +
      'log.',
    accepts: {
      params,
      body: Closed({
        plugin_name: Maybe(datumFields.plugin_name),
        key: Maybe(datumFields.key),
        value: Maybe(datumFields.value),
      }),
    },
    errors: { conflict: [] },
    replies: { status: 200, body: DatumReply },
    run(context, { params: { id }, body }) {
      const changes = omitUndefined({
        pluginName: body.plugin_name,
        key: body.key,
        value: body.value === undefined ? undefined : JSON.stringify(body.value),
      });
      return {
        plugin_datum: datumJson(
          context.engine.notifications.pluginData.change(id, changes, actorContext(context)),
        ),
      };
    },
  }),
  defineRoute({
    ...staff,
    id: 'deletePluginDatum',
    method: 'delete',
    path: '/plugin-data/{id}',
    summary: 'Delete a stored value',
    description: 'Cannot be undone. Written to the audit log.',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.notifications.pluginData.remove(id, actorContext(context));
      return {};
    },
  }),
];

function requireWebhookSettings({ notifications: { webhooks } }: Engine, shortName: string): WebhookSettings {
  if (shortName !== 'webhook')
    throw new AppError('not_found', 'There is no plugin of that name.', { reason: { name: 'not_found' } });
  return webhooks.settings();
}

const settingsJson = ({ urls, secret }: WebhookSettings): Static<typeof WebhookSettingsJson> => ({
  webhook_urls: urls.length === 0 ? null : urls.join('\n'),
  secret: null,
  has_secret: secret !== null,
});

const toDatum = (body: { plugin_name: string; key: string; value: unknown }) => ({
  pluginName: body.plugin_name,
  key: body.key,
  value: JSON.stringify(body.value),
});

const datumJson = (datum: PluginDatum): Static<typeof DatumJson> => ({
  id: datum.id,
  plugin_name: datum.pluginName,
  key: datum.key,
  value: JSON.parse(datum.value) as unknown,
});
