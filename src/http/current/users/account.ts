import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { KeyRecord } from '../../../engine/engine.ts';
import { withPicture } from '../../pictures.ts';
import { validationError } from '../../routes/input-values.ts';
import { defineRoute, type Route } from '../../routes/route.ts';
import { actorContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Id, IsoSeconds, isoSeconds, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { PageQuery, PagingJson, pagingJson, toPageRequest } from '../shared/paging.ts';
import { LoginReply, NewPassword } from './login.ts';
import { PasswordInput, type PasswordServices, requireCurrentPassword } from './password-input.ts';
import { currentUserJson } from './user-views.ts';

export const KeyJson = named(
  'ApiKey',
  Closed(
    {
      id: Id,
      user_id: Type.String({ description: 'Username of its owner.' }),
      prefix: Type.String({ description: 'The first eight digits, to tell keys apart.' }),
      key: Nullable(Type.String({ description: 'The key itself: shown only when it is created.' })),
      description: Type.String({ maxLength: 256, description: 'What the key is used for; may be empty.' }),
      is_active: Type.Boolean({ description: 'False: requests with it are refused.' }),
      created_time: { ...IsoSeconds, description: 'UTC time of its creation.' },
      last_used_time: Nullable({
        ...IsoSeconds,
        description:
          'UTC time of its last use; after a restart up to an hour before it. Null before the first.',
      }),
      last_used_address: Nullable(
        Type.String({
          maxLength: 64,
          description: 'Address of its last use, as exact as `last_used_time`; null if none is known.',
        }),
      ),
    },
    { description: 'An API key.' },
  ),
);

/** Whether the API keys of an account end with its logins. */
export const EndKeys = Maybe(
  Type.Boolean({ default: false, description: 'True also deletes all API keys of the account.' }),
);

const ApiKeyReply = Closed({ api_key: KeyJson });

const params = Open({ id: Id });

const keyFields = {
  description: Maybe(Type.String({ maxLength: 256, description: 'What the key is used for.' })),
  is_active: Maybe(Type.Boolean({ description: 'False switches it off; true by default.' })),
};

/** Password, picture and API keys of the requester's own account. */
export const accountRoutes = (services: PasswordServices): readonly Route[] => [
  defineRoute({
    id: 'changePassword',
    method: 'post',
    path: '/account/password',
    summary: 'Change your own password. Ends your other logins, and your API keys if you choose so',
    description:
      'Your own login stays valid. With `end_keys` all your API keys are deleted: do so if somebody else may know the password. A wrong current password is a 400 and counts as a failed login; ' +
      'too many of them are answered with 429. Written to the audit log.',
    access: 'member',
    attempt: 'login',
    writesCredential: { proof: 'current-password' },
    accepts: {
      body: Closed({ current_password: PasswordInput, new_password: NewPassword, end_keys: EndKeys }),
    },
    errors: {
      invalid_request: ['wrong_password'],
      too_many: ['passwords_waiting'],
      unavailable: ['too_many_logins'],
    },
    replies: { status: 200, body: Closed({}) },
    async run(context, { body }) {
      const { engine, login, now } = context;
      const { username } = context.user!;
      await requireCurrentPassword(services, context, body.current_password);
      const password = await engine.users.passwords.hash(body.new_password, 'new_password');
      const exceptLoginId = login === null ? {} : { exceptLoginId: login };
      engine.users.accounts.setPassword(username, password, {
        actor: requestActor(context),
        now,
        ...exceptLoginId,
        endsKeys: body.end_keys ?? false,
      });
      return {};
    },
  }),
  defineRoute({
    id: 'setMugshot',
    method: 'post',
    path: '/account/mugshot',
    summary: 'Set your own picture, sent as the file `image`',
    description:
      'Send a multipart form with a picture of up to 10 MiB and 50 megapixels as `image`. It is reduced to two ' +
      'sizes and stored without metadata; the previous one is deleted. Everybody who may read the site sees it.',
    access: 'member',
    accepts: { body: Closed({}), files: ['image'] },
    replies: { status: 200, body: LoginReply },
    run: (context, { files }) =>
      withPicture(context, { upload: files.get('image'), field: 'image' }, (picture) => {
        if (picture === undefined)
          throw validationError('image', 'is required: a picture in a multipart form', { name: 'picture' });
        const { engine, user } = context;
        return { user: currentUserJson(engine.users.accounts.setMugshot(user!.username, picture)) };
      }),
  }),
  defineRoute({
    id: 'removeMugshot',
    method: 'delete',
    path: '/account/mugshot',
    summary: 'Delete your own picture',
    description: 'Both stored sizes are deleted. Succeeds when there is none. Returns your account.',
    access: 'member',
    accepts: {},
    replies: { status: 200, body: LoginReply },
    run: ({ engine, user }) => ({
      user: currentUserJson(engine.users.accounts.setMugshot(user!.username, null)),
    }),
  }),
  defineRoute({
    id: 'regenerateApiKey',
    method: 'post',
    path: '/account/regenerate-api-key',
    summary: 'Replace your only API key with a new one, or create the first',
    description:
      'For accounts with at most one key: with several, 409, since it would be unclear which to replace. The old ' +
      'key stops working at once. Only this answer shows the new one. Written to the audit log.',
    transport: 'https',
    access: 'member',
    writesCredential: { proof: 'confirmed-login' },
    accepts: {},
    errors: { conflict: [] },
    replies: { status: 200, body: ApiKeyReply },
    run(context) {
      const { engine, user } = context;
      const { key, secret } = engine.users.ownKeys.regenerate(user!, actorContext(context));
      return { api_key: keyJson(key, user!.username, secret) };
    },
  }),
  defineRoute({
    id: 'listApiKeys',
    method: 'get',
    path: '/api-keys',
    summary: 'List your own API keys, newest first',
    description:
      'With the first digits of each key, so that you can tell them apart; the keys themselves are stored as hashes ' +
      'and cannot be shown again.',
    access: 'member',
    accepts: { query: PageQuery },
    replies: {
      status: 200,
      body: Closed({
        paging: PagingJson,
        api_keys: Type.Array(KeyJson, { description: 'The api keys of this page.' }),
      }),
    },
    run({ engine, user, addressWith }, { query }) {
      const page = engine.users.ownKeys.list(user!.id, toPageRequest(query));
      return {
        paging: pagingJson(page, addressWith),
        api_keys: page.items.map((key) => keyJson(key, user!.username)),
      };
    },
  }),
  defineRoute({
    id: 'createApiKey',
    method: 'post',
    path: '/api-keys',
    summary: 'Create an API key of your own. Only this answer shows the key',
    description:
      'The key has your permissions. Send it as `X-Kegbot-Api-Key` or `Authorization: Bearer`. A user may have at most 100 keys, beyond that 409. Written to the audit log.',
    transport: 'https',
    access: 'member',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { body: Closed(keyFields) },
    errors: { conflict: ['too_many_entries'] },
    replies: { status: 201, body: ApiKeyReply },
    run(context, { body }) {
      const { engine, user } = context;
      const { key, secret } = engine.users.ownKeys.create(user!, toKeyChanges(body), actorContext(context));
      return { api_key: keyJson(key, user!.username, secret) };
    },
  }),
  defineRoute({
    id: 'getApiKey',
    method: 'get',
    path: '/api-keys/{id}',
    summary: 'Get one of your own API keys',
    description:
      '404 also for a key of somebody else. The key itself is null: it is shown only when it is created.',
    access: 'member',
    accepts: { params },
    replies: { status: 200, body: ApiKeyReply },
    run: ({ engine, user }, { params: { id } }) => ({
      api_key: keyJson(engine.users.ownKeys.get(user!.id, id), user!.username),
    }),
  }),
  ...(['put', 'patch'] as const).map((method) =>
    defineRoute({
      id: method === 'put' ? 'replaceApiKey' : 'changeApiKey',
      method,
      path: '/api-keys/{id}',
      summary: 'Change the description of one of your own API keys, or switch it on or off',
      description:
        'Fields left out keep their values. A key that is switched off is refused with 401 until it is switched on. 404 also for a key of somebody else. Written to the audit log.',
      access: 'member',
      writesCredential: { proof: 'confirmed-login' },
      accepts: { params, body: Closed(keyFields) },
      replies: { status: 200, body: ApiKeyReply },
      run(context, { params: { id }, body }) {
        const { engine, user } = context;
        const changed = engine.users.ownKeys.change(user!, id, toKeyChanges(body), actorContext(context));
        return { api_key: keyJson(changed, user!.username) };
      },
    }),
  ),
  defineRoute({
    id: 'deleteApiKey',
    method: 'delete',
    path: '/api-keys/{id}',
    summary: 'Delete one of your own API keys. Requests with it are refused from then on',
    description:
      'Cannot be undone: create another one. 404 also for a key of somebody else. Written to the audit log.',
    access: 'member',
    writesCredential: { proof: 'confirmed-login' },
    accepts: { params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params: { id } }) {
      context.engine.users.ownKeys.remove(context.user!, id, actorContext(context));
      return {};
    },
  }),
];

const toKeyChanges = (body: { readonly description?: string; readonly is_active?: boolean }) =>
  omitUndefined({ description: body.description, isActive: body.is_active });

export const keyJson = (
  key: KeyRecord,
  username: string,
  secret: string | null = null,
): Static<typeof KeyJson> => ({
  id: key.id,
  user_id: username,
  prefix: key.prefix,
  key: secret,
  description: key.description,
  is_active: key.isActive,
  created_time: isoSeconds(key.createdTimeMs),
  last_used_time: key.lastUsedTimeMs === null ? null : isoSeconds(key.lastUsedTimeMs),
  last_used_address: key.lastUsedAddress,
});
