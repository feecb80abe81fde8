import Type, { type Static } from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { AuthToken } from '../../../core/records.ts';
import type { Engine } from '../../../engine/engine.ts';
import { Instant, parseInstant } from '../../routes/input-values.ts';
import { defineRoute } from '../../routes/route.ts';
import { actorContext, type RouteContext, requestActor } from '../../routes/route-context.ts';
import { Closed, Maybe, Nullable, named, Open } from '../../routes/schemas.ts';
import { correctionFields } from '../shared/correction-id.ts';
import { inProperty, resource } from '../shared/resource.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

const Device = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Kind of reader, such as `core.rfid`.',
});
const Value = Type.String({
  minLength: 1,
  maxLength: 128,
  description:
    'Value that the reader reports. Hexadecimal values of `core.rfid` and `core.onewire` are stored in lower case and whole bytes; ' +
    '`04:A3:2B:1C`, `4:A3:2B:1C`, `UID: 04 A3 2B 1C`, `0x04A32B1C` and `0004657891,071,04835` are read, and stored as bytes. ' +
    'A number of ten digits gets its bytes as one of `other_values`. The numbers of no card (zeros, `f` alone, 4294967295) in any ' +
    'spelling, and digits between broken separators are refused.',
});
const TokenRef = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Device and value joined by `.` or `|`, such as `core.rfid.0089f2c4`.',
});
const optionalFields = {
  nice_name: Maybe(
    Nullable(
      Type.String({ maxLength: 256, description: 'Display name, at most 256 characters; null for none.' }),
    ),
  ),
  pin: Maybe(
    Nullable(
      Type.String({
        maxLength: 256,
        description: 'PIN, at most 256 characters, null for none. Stored, and never shown.',
      }),
    ),
  ),
  user: Maybe(
    Nullable(Type.String({ minLength: 1, maxLength: 128, description: 'Username of its owner, or null.' })),
  ),
  other_values: Maybe(
    Type.Array(Value, {
      maxItems: 8,
      description:
        'Further values under which readers send the same token, such as its bytes in reverse; they replace those of before. ' +
        'Each belongs to one token, otherwise 400.',
    }),
  ),
  enabled: Maybe(Type.Boolean({ description: 'False: it opens nothing. True by default.' })),
  expire_time: Maybe(Nullable(Instant('When it stops working; null for never.'))),
};
const NewTokenJson = named(
  'NewAuthToken',
  Closed(
    { auth_device: Device, token_value: Value, ...optionalFields },
    { description: 'A new auth token.' },
  ),
);
const TokenChangeJson = named(
  'AuthTokenChange',
  Closed(
    { auth_device: Maybe(Device), token_value: Maybe(Value), ...optionalFields },
    { description: 'Changes of an auth token.' },
  ),
);

const tokenPath = '/auth-tokens/{token}';
const tokenParams = Open({ token: TokenRef });
const devicePath = '/auth-tokens/{auth_device}/{token_value}';
const deviceParams = Open({ auth_device: Device, token_value: Value });

const reply = inProperty('token', TokenJson, tokenJson);

const tokens = resource({
  ...reply,
  name: 'Token',
  path: '/auth-tokens',
  onePath: tokenPath,
  params: tokenParams,
});

const tokensOfDevice = resource({
  ...reply,
  name: 'TokenOfDevice',
  path: '/auth-tokens',
  onePath: devicePath,
  params: deviceParams,
});

const bodies = { put: NewTokenJson, patch: TokenChangeJson };
const changeTexts = {
  summary: 'Change owner, expiry or state of an auth token. Fields left out keep their values',
  description:
    'Open grants of the token end when it is switched off or gets another owner. Device and value together must stay ' +
    'unique, otherwise 400. Written to the audit log.',
};
const removeTexts = {
  summary: 'Delete an auth token. It is unknown from then on',
  description:
    'Open grants of the token end. Drinks poured with it keep its owner. `correction_id` undoes it. Written to the audit log.',
};

const removal = <P extends Type.TObject>(
  name: string,
  path: string,
  params: P,
  find: (engine: Engine, params: Static<P>) => AuthToken | null,
) =>
  defineRoute({
    id: `remove${name}`,
    method: 'delete',
    path,
    ...removeTexts,
    access: 'staff',
    accepts: { params },
    replies: { status: 200, body: Closed(correctionFields) },
    run(context, input) {
      const { id } = requireToken(find(context.engine, input.params as Static<P>));
      return { correction_id: context.engine.access.tokens.remove(id, actorContext(context)) };
    },
  });

/** Routes that change auth tokens, for staff. A token is addressed by its id, or by device and value. */
export const tokenChangeRoutes = [
  tokens.create(
    {
      summary:
        'Create an auth token, with or without an owner. `/api/admin/unknown-tokens` lists presented unknown ones',
      description:
        'Device and value together must be unique, otherwise 400. Tokens of `core.rfid` and `core.onewire` are ' +
        'compared in lower case. It works at once, on this machine and on paired kegboards. Written to the audit log.',
    },
    NewTokenJson,
    (context, body) => {
      const { auth_device: device, token_value: value } = body;
      const fields = { ...toTokenFields(context.engine, body), device, value };
      return context.engine.access.tokens.create(fields, context.now, requestActor(context));
    },
  ),
  ...tokens.change(changeTexts, bodies, (context, { token }, { body }) =>
    changeToken(context, context.engine.users.tokenByText(token), body),
  ),
  removal('Token', tokenPath, tokenParams, ({ users }, { token }) => users.tokenByText(token)),
  ...tokensOfDevice.change(changeTexts, bodies, (context, params, { body }) =>
    changeToken(context, context.engine.users.token(params.auth_device, params.token_value), body),
  ),
  removal('TokenOfDevice', devicePath, deviceParams, ({ users }, params) =>
    users.token(params.auth_device, params.token_value),
  ),
];

function changeToken(
  context: RouteContext,
  found: AuthToken | null,
  body: Static<typeof TokenChangeJson>,
): AuthToken {
  const { id } = requireToken(found);
  return context.engine.access.tokens.change(id, toTokenFields(context.engine, body), actorContext(context));
}

function requireToken(found: AuthToken | null): AuthToken {
  if (found !== null) return found;
  throw new AppError('not_found', 'There is no such token.', { reason: { name: 'not_found' } });
}

function toTokenFields(engine: Engine, body: Static<typeof TokenChangeJson>) {
  const { auth_device: device, token_value: value, nice_name: niceName, pin, user, enabled } = body;
  const { expire_time: end, other_values: otherValues } = body;
  return omitUndefined({
    device,
    value,
    niceName: niceName === null ? '' : niceName,
    pin: pin === null ? '' : pin,
    username: user,
    enabled,
    otherValues,
    expireTimeMs:
      end === undefined ? undefined : end === null ? null : parseInstant(engine, 'expire_time', end),
  });
}
