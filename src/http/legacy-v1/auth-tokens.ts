import Type, { type Static } from 'typebox';
import { AppError } from '../../core/app-error.ts';
import type { AuthToken, User } from '../../core/records.ts';
import type { Engine } from '../../engine/engine.ts';
import { defineViewedRoute, type Method, view } from '../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, named, Open } from '../routes/schemas.ts';
import { TokenKegbot, tokenKegbot } from './kegbot-users.ts';

const TokenReference = named(
  'AuthToken',
  Closed(
    {
      id: Type.String({ description: '`<auth_device>|<token_value>`.' }),
      auth_device: Type.String({ description: 'Kind of reader, such as `core.rfid`.' }),
      token_value: Type.String({ description: 'Value that the reader reports.' }),
      created_time: { ...IsoSeconds, description: 'UTC time of its creation.' },
      enabled: Type.Boolean({ description: 'False: it opens nothing.' }),
    },
    { description: 'An auth token: a card or button that opens taps.' },
  ),
);

interface TokenWithOwner {
  readonly token: AuthToken;
  readonly owner: User | null;
}

const views = {
  reference: view(Closed({ token: TokenReference }), ({ token }: TokenWithOwner) => ({
    token: tokenReference(token),
  })),
  kegbot: view(TokenKegbot, ({ token, owner }: TokenWithOwner) => tokenKegbot(token, owner)),
};

/** The oldest clients send their key as a form field and therefore look a token up with POST. */
const tokenByText = (method: Method) =>
  defineViewedRoute({
    id: method === 'get' ? 'getToken' : 'getTokenByForm',
    method,
    path: '/auth-tokens/{token}',
    summary: 'Get an auth token by its id: device and value joined by `.` or `|`',
    description:
      'Also when it is switched off or expired: the controller decides whether it opens. The method `POST` does the same, for clients that send their key as a form field. 404 for an unknown token.',
    access: 'staff',
    accepts: {
      params: Open({
        token: Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Device and value joined by `.` or `|`, such as `core.rfid.0089f2c4`.',
        }),
      }),
    },
    status: 200,
    run: ({ engine }, { params }) => withOwner(engine, engine.users.tokenByText(params.token)),
    views,
  });

const tokenByParts = (method: Method) =>
  defineViewedRoute({
    id: method === 'get' ? 'getTokenOfDevice' : 'getTokenOfDeviceByForm',
    method,
    path: '/auth-tokens/{auth_device}/{token_value}',
    summary: 'Get an auth token by its device and value',
    description:
      'The same as by its id, with device and value as two parts of the path. The method `POST` does the same, for clients that send their key as a form field.',
    access: 'staff',
    accepts: {
      params: Open({
        auth_device: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Kind of reader, such as `core.rfid`.',
        }),
        token_value: Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Value that the reader reports.',
        }),
      }),
    },
    status: 200,
    run: ({ engine }, { params }) =>
      withOwner(engine, engine.users.token(params.auth_device, params.token_value)),
    views,
  });

export const tokenRoutes = [
  tokenByText('get'),
  tokenByText('post'),
  tokenByParts('get'),
  tokenByParts('post'),
];

function withOwner(engine: Engine, token: AuthToken | null): TokenWithOwner {
  if (token === null) throw new AppError('not_found', 'There is no such auth token.');
  return { token, owner: token.username === null ? null : engine.users.user(token.username) };
}

const tokenReference = (token: AuthToken): Static<typeof TokenReference> => ({
  id: `${token.authDevice}|${token.tokenValue}`,
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  created_time: isoSeconds(token.createdTimeMs),
  enabled: token.enabled,
});
