import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { KeyRecord } from '../../../engine/engine.ts';
import { withPicture } from '../../pictures.ts';
import { validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { requestActor } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';
import { LoginReply, NewPassword } from './login.ts';
import { PasswordInput, type PasswordServices, requireCurrentPassword } from './password-input.ts';
import { currentUserJson } from './user-views.ts';

const KeyJson = named(
  'ApiKey',
  Closed({
    id: Id,
    user_id: Type.String({ description: 'Username of its owner.' }),
    prefix: Type.String({ description: 'The first eight digits, to tell keys apart.' }),
    key: Nullable(Type.String({ description: 'The key itself: shown only when it is created.' })),
    description: Type.String(),
    is_active: Type.Boolean(),
    created_time: IsoSeconds,
    last_used_time: Nullable(IsoSeconds),
  }),
);

const ApiKeyReply = Closed({ api_key: KeyJson });

const params = Open({ id: Id });

const keyFields = {
  description: Maybe(Type.String({ maxLength: 256, description: 'What the key is used for.' })),
  is_active: Maybe(Type.Boolean()),
};

/** Password, picture and API keys of the requester's own account. */
export const accountRoutes = (services: PasswordServices): readonly Route[] => [
  defineRoute({
    id: 'changePassword',
    method: 'post',
    path: '/account/password',
    summary: 'Change your own password. Ends your other logins',
    access: 'member',
    attempt: 'login',
    accepts: { body: Closed({ current_password: PasswordInput, new_password: NewPassword }) },
    replies: { status: 200, body: Closed({}) },
    async run(context, { body }) {
      const { engine, login, now } = context;
      const { username } = context.user!;
      await requireCurrentPassword(services, context, body.current_password);
      const password = await engine.passwords.hash(body.new_password, 'new_password');
      const exceptLoginId = login === null ? {} : { exceptLoginId: login };
      engine.accounts.setPassword(username, password, {
        actor: requestActor(context),
        now,
        ...exceptLoginId,
      });
      return {};
    },
  }),
  defineRoute({
    id: 'setMugshot',
    method: 'post',
    path: '/account/mugshot',
    summary: 'Set your own picture, sent as the file `image`',
    access: 'member',
    accepts: { body: Closed({}), files: ['image'] },
    replies: { status: 200, body: LoginReply },
    run: (context, { files }) =>
      withPicture(context, { upload: files.get('image'), field: 'image' }, (picture) => {
        if (picture === undefined)
          throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
        const { engine, user } = context;
        return { user: currentUserJson(engine.accounts.setMugshot(user!.username, picture)) };
      }),
  }),
  defineRoute({
    id: 'removeMugshot',
    method: 'delete',
    path: '/account/mugshot',
    summary: 'Delete your own picture',
    access: 'member',
    accepts: {},
    replies: { status: 200, body: LoginReply },
    run: ({ engine, user }) => ({
      user: currentUserJson(engine.accounts.setMugshot(user!.username, null)),
    }),
  }),
  defineRoute({
    id: 'regenerateApiKey',
    method: 'post',
    path: '/account/regenerate-api-key',
    summary: 'Replace your only API key with a new one, or create the first',
    access: 'member',
    accepts: {},
    replies: { status: 200, body: ApiKeyReply },
    run({ engine, user, now }) {
      const { key, secret } = engine.ownKeys.regenerate(user!.id, now);
      return { api_key: keyJson(key, user!.username, secret) };
    },
  }),
  defineRoute({
    id: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    summary: 'List your own API keys, newest first',
    access: 'member',
    accepts: { query: PageQuery },
    replies: { status: 200, body: Closed({ paging: PagingJson, api_keys: Type.Array(KeyJson) }) },
    run({ engine, user }, { query }) {
      const page = engine.ownKeys.list(user!.id, toPageRequest(query));
      return { paging: pagingJson(page), api_keys: page.items.map((key) => keyJson(key, user!.username)) };
    },
  }),
  defineRoute({
    id: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    summary: 'Create an API key of your own. Only this answer shows the key',
    access: 'member',
    accepts: { body: Closed(keyFields) },
    replies: { status: 201, body: ApiKeyReply },
    run({ engine, user, now }, { body }) {
      const { key, secret } = engine.ownKeys.create(user!.id, toKeyChanges(body), now);
      return { api_key: keyJson(key, user!.username, secret) };
    },
  }),
  defineRoute({
    id: 'getApiKey',
    method: 'get',
    path: '/api-keys/{id}',
    summary: 'Get one of your own API keys',
    access: 'member',
    accepts: { params },
    replies: { status: 200, body: ApiKeyReply },
    run: ({ engine, user }, { params: { id } }) => ({
      api_key: keyJson(engine.ownKeys.get(user!.id, id), user!.username),
    }),
  }),
  ...(['put', 'patch'] as const).map((method) =>
    defineRoute({
      id: method === 'put' ? 'replaceApiKey' : 'changeApiKey',
      method,
      path: '/api-keys/{id}',
      summary: 'Change the description of one of your own API keys, or switch it on or off',
      access: 'member',
      accepts: { params, body: Closed(keyFields) },
      replies: { status: 200, body: ApiKeyReply },
      run: ({ engine, user }, { params: { id }, body }) => ({
        api_key: keyJson(engine.ownKeys.change(user!.id, id, toKeyChanges(body)), user!.username),
      }),
    }),
  ),
  defineRoute({
    id: 'deleteApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    summary: 'Delete one of your own API keys. Requests with it are refused from then on',
    access: 'member',
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run({ engine, user }, { params: { id } }) {
      engine.ownKeys.remove(user!.id, id);
      return {};
    },
  }),
];

const toKeyChanges = (body: { readonly description?: string; readonly is_active?: boolean }) =>
  omitUndefined({ description: body.description, isActive: body.is_active });

const keyJson = (key: KeyRecord, username: string, secret: string | null = null): Static<typeof KeyJson> => ({
  id: key.id,
  user_id: username,
  prefix: key.prefix,
  key: secret,
  description: key.description,
  is_active: key.isActive,
  created_time: isoSeconds(key.createdTimeMs),
  last_used_time: key.lastUsedTimeMs === null ? null : isoSeconds(key.lastUsedTimeMs),
});
