import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { AuthToken } from '../../../core/records.ts';
import { defineRoute, type Method } from '../../routes/route.ts';
import { Closed, Maybe, Open } from '../../routes/schemas.ts';
import { PagingNextJson, pageFields, pagingNextJson, toPageRequest } from '../shared/paging.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

const replies = { status: 200, body: Closed({ token: TokenJson }) };

/** The specification's sample code looks a token up with POST; it means the same as GET. */
const tokenByText = (method: Method) =>
  defineRoute({
    id: method === 'get' ? 'getToken' : 'getTokenByPost',
    method,
    path: '/auth-tokens/{token}',
    summary: 'Get an auth token by its id: device and value joined by `.` or `|`',
    access: 'staff',
    accepts: { params: Open({ token: Type.String({ minLength: 1, maxLength: 256 }) }) },
    replies,
    run: ({ engine }, { params }) => tokenReply(engine.users.tokenByText(params.token)),
  });

const tokenByParts = (method: Method) =>
  defineRoute({
    id: method === 'get' ? 'getTokenOfDevice' : 'getTokenOfDeviceByPost',
    method,
    path: '/auth-tokens/{auth_device}/{token_value}',
    summary: 'Get an auth token by its device and value',
    access: 'staff',
    accepts: {
      params: Open({
        auth_device: Type.String({ minLength: 1, maxLength: 64 }),
        token_value: Type.String({ minLength: 1, maxLength: 128 }),
      }),
    },
    replies,
    run: ({ engine }, { params }) => tokenReply(engine.users.token(params.auth_device, params.token_value)),
  });

const listTokens = defineRoute({
  id: 'listTokens',
  method: 'get',
  path: '/auth-tokens',
  summary: 'List auth tokens (cards, buttons), newest first',
  access: 'staff',
  accepts: {
    query: Open({
      ...pageFields,
      auth_device: Maybe(Type.String({ minLength: 1, maxLength: 64 })),
      enabled: Maybe(Type.Boolean()),
      user: Maybe(Type.String({ minLength: 1, maxLength: 128, description: 'Username of the owner.' })),
      search: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Part of the token’s value, its name or its owner’s name.',
        }),
      ),
    }),
  },
  replies: { status: 200, body: Closed({ paging: PagingNextJson, tokens: Type.Array(TokenJson) }) },
  run({ engine }, { query }) {
    const { auth_device: authDevice, enabled, user: username, search } = query;
    const page = engine.tokens.list({
      ...toPageRequest(query),
      ...omitUndefined({ authDevice, enabled, username, search }),
    });
    return { paging: pagingNextJson(page), tokens: page.items.map(tokenJson) };
  },
});

export const tokenRoutes = [
  listTokens,
  tokenByText('get'),
  tokenByText('post'),
  tokenByParts('get'),
  tokenByParts('post'),
];

function tokenReply(token: AuthToken | null) {
  if (token === null)
    throw new AppError('not_found', 'There is no such auth token.', {
      reason: { name: 'not_found' },
    });
  return { token: tokenJson(token) };
}
