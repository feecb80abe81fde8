import Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import type { AuthToken } from '../../../core/records.ts';
import { defineRoute, type Method } from '../../routes/route.ts';
import { Closed, Maybe, Open } from '../../routes/schemas.ts';
import { PagingJson, pageFields, pagingJson, toPageRequest } from '../shared/paging.ts';
import { toUserFilter, userFilterFields } from '../shared/user-filter.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

const replies = { status: 200, body: Closed({ token: TokenJson }) };

/** The specification's sample code looks a token up with POST; it means the same as GET. */
const tokenByText = (method: Method) =>
  defineRoute({
    id: method === 'get' ? 'getToken' : 'getTokenByPost',
    method,
    path: '/auth-tokens/{token}',
    summary: 'Get an auth token by its id: device and value joined by `.` or `|`',
    description:
      'Device names contain dots, so the whole text is compared. The method `POST` does the same, for clients that send their key in a form. The token’s PIN is never shown.',
    access: 'staff',
    keyInBody: method === 'post',
    accepts: {
      params: Open({
        token: Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Device and value joined by `.` or `|`, such as `core.rfid.0089f2c4`.',
        }),
      }),
    },
    replies,
    run: ({ engine }, { params }) => tokenReply(engine.users.tokenByText(params.token)),
  });

const tokenByParts = (method: Method) =>
  defineRoute({
    id: method === 'get' ? 'getTokenOfDevice' : 'getTokenOfDeviceByPost',
    method,
    path: '/auth-tokens/{auth_device}/{token_value}',
    summary: 'Get an auth token by its device and value',
    description:
      'The same as by its id, with device and value as two parts of the path. The method `POST` does the same, for clients that send their key in a form.',
    access: 'staff',
    keyInBody: method === 'post',
    accepts: {
      params: Open({
        auth_device: Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Kind of reader, such as `core.rfid`.',
        }),
        token_value: Type.String({ minLength: 1, maxLength: 128, description: 'Value of the token.' }),
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
  description:
    'An auth token is a card or button that opens a tap for its owner. Filters may be combined. PINs of tokens ' +
    'are never shown.',
  access: 'staff',
  accepts: {
    query: Open({
      ...pageFields,
      auth_device: Maybe(
        Type.String({ minLength: 1, maxLength: 64, description: 'Only tokens of this kind of reader.' }),
      ),
      enabled: Maybe(Type.Boolean({ description: 'Only tokens that are switched on, or off.' })),
      state: Maybe(
        Type.Enum(['assigned', 'unassigned', 'disabled', 'expired'], {
          description:
            'Only tokens in this state; each is in one: `disabled` ones are switched off, `expired` ones are past their ' +
            '`expire_time`, `unassigned` ones have no owner, the others are `assigned`.',
        }),
      ),
      ...userFilterFields,
      search: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 128,
          description: 'Part of the token’s value, its name or its owner’s name.',
        }),
      ),
    }),
  },
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      tokens: Type.Array(TokenJson, { description: 'The tokens of this page.' }),
    }),
  },
  run({ engine, addressWith, now }, { query }) {
    const { auth_device: authDevice, enabled, state, search } = query;
    const page = engine.access.tokens.list(
      {
        ...toPageRequest(query),
        ...omitUndefined({ authDevice, enabled, state, username: toUserFilter(query), search }),
      },
      now,
    );
    return { paging: pagingJson(page, addressWith), tokens: page.items.map(tokenJson) };
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
