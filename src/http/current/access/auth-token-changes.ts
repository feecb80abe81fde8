import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { AuthToken } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { actorContext } from '../../auth/actor-context.ts';
import { requestActor } from '../../auth/request-actor.ts';
import { Instant, parseInstant } from '../../routes/instants.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

/** The two paths of a token: by its id, and by device and value. */
const addresses = {
  text: {
    path: '/auth-tokens/{token}',
    suffix: '',
    params: Open({ token: Type.String({ minLength: 1, maxLength: 256 }) }),
  },
  parts: {
    path: '/auth-tokens/{auth_device}/{token_value}',
    suffix: 'OfDevice',
    params: Open({
      auth_device: Type.String({ minLength: 1, maxLength: 64 }),
      token_value: Type.String({ minLength: 1, maxLength: 128 }),
    }),
  },
} as const;
type Address = keyof typeof addresses;
type Params = { readonly token?: string; readonly auth_device?: string; readonly token_value?: string };

const Device = Type.String({ minLength: 1, maxLength: 64, description: 'Such as `core.rfid`.' });
const Value = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Hexadecimal values of `core.rfid` and `core.onewire` are stored in lower case.',
});
const optionalFields = {
  nice_name: Maybe(Nullable(Type.String({ maxLength: 256 }))),
  pin: Maybe(Nullable(Type.String({ maxLength: 256, description: 'Stored, and never shown.' }))),
  user: Maybe(
    Nullable(Type.String({ minLength: 1, maxLength: 128, description: 'Username of its owner, or null.' })),
  ),
  enabled: Maybe(Type.Boolean()),
  expire_time: Maybe(Nullable(Instant)),
};
const NewTokenJson = named(
  'NewAuthToken',
  Closed({ auth_device: Device, token_value: Value, ...optionalFields }),
);
const TokenChangeJson = named(
  'AuthTokenChange',
  Closed({ auth_device: Maybe(Device), token_value: Maybe(Value), ...optionalFields }),
);

const TokenReply = Closed({ token: TokenJson });

const createToken = defineRoute({
  id: 'createToken',
  method: 'post',
  path: '/auth-tokens',
  summary:
    'Create an auth token, with or without an owner. `/api/admin/unknown-tokens` lists presented unknown ones',
  access: 'staff',
  accepts: { body: NewTokenJson },
  replies: { status: 201, body: TokenReply },
  run(context, { body }) {
    const { engine, now } = context;

    const { auth_device: device, token_value: value } = body;
    const created = engine.tokens.create(
      { ...toTokenFields(body), device, value },
      now,
      requestActor(context),
    );
    return { token: tokenJson(created) };
  },
});

const changeToken = (method: 'put' | 'patch', address: Address) =>
  defineRoute({
    id: `${method === 'put' ? 'replaceToken' : 'changeToken'}${addresses[address].suffix}`,
    method,
    path: addresses[address].path,
    summary: 'Change owner, expiry or state of an auth token. Fields left out keep their values',
    access: 'staff',
    accepts: {
      params: addresses[address].params,
      body: method === 'put' ? NewTokenJson : TokenChangeJson,
    },
    replies: { status: 200, body: TokenReply },
    run(context, { params, body }) {
      const { engine } = context;
      const { id } = requireToken(engine, params);
      return { token: tokenJson(engine.tokens.change(id, toTokenFields(body), actorContext(context))) };
    },
  });

const removeToken = (address: Address) =>
  defineRoute({
    id: `removeToken${addresses[address].suffix}`,
    method: 'delete',
    path: addresses[address].path,
    summary: 'Delete an auth token. It is unknown from then on',
    access: 'staff',
    accepts: { params: addresses[address].params },
    replies: { status: 200, body: Closed({}) },
    run(context, { params }) {
      const { engine } = context;
      engine.tokens.remove(requireToken(engine, params).id, actorContext(context));
      return {};
    },
  });

/** Routes that change auth tokens, for staff. */
export const tokenChangeRoutes = [
  createToken,
  ...(['text', 'parts'] as const).flatMap((address) => [
    changeToken('put', address),
    changeToken('patch', address),
    removeToken(address),
  ]),
];

function requireToken(
  { users }: Engine,
  { token, auth_device: device, token_value: value }: Params,
): AuthToken {
  const found = token === undefined ? users.token(device ?? '', value ?? '') : users.tokenByText(token);
  if (found === null)
    throw new AppError('not_found', 'There is no such token.', { reason: { name: 'not_found' } });
  return found;
}

function toTokenFields(body: Static<typeof TokenChangeJson>) {
  const { auth_device: device, token_value: value, nice_name: niceName, pin, user, enabled } = body;
  const { expire_time: end } = body;
  return {
    ...(device === undefined ? {} : { device }),
    ...(value === undefined ? {} : { value }),
    ...(niceName === undefined ? {} : { niceName: niceName ?? '' }),
    ...(pin === undefined ? {} : { pin: pin ?? '' }),
    ...(user === undefined ? {} : { username: user }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(end === undefined ? {} : { expireTimeMs: end === null ? null : parseInstant('expire_time', end) }),
  };
}
