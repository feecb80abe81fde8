import Type, { type Static } from 'typebox';
import type { SeenToken } from '../../../core/access/seen-token.ts';
import type { AuthToken } from '../../../core/records.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, Nullable, named, Open } from '../../routes/schemas.ts';
import { PagingJson, wholeListPaging } from '../shared/paging.ts';
import { TokenJson, tokenJson } from '../users/user-views.ts';

const UnknownTokenJson = named(
  'UnknownToken',
  Closed(
    {
      id: Type.String({ description: 'Id of the token, `<auth_device>|<token_value>`.' }),
      auth_device: Type.String({
        maxLength: 64,
        description:
          'Kind of the token, such as `core.rfid`; empty when a controller posted the value alone.',
      }),
      token_value: Type.String({ maxLength: 128, description: 'The token’s value, whole.' }),
      raw: Nullable(
        Type.String({
          maxLength: 64,
          description:
            'What a reader of this machine sent, where it is more than the value in capitals; else null.',
        }),
      ),
      looks_like: Type.Array(TokenJson, {
        description:
          'Auth tokens that may be the same card at another reader: the bytes reversed, more or fewer bytes, the printed number. ' +
          'Two cards can look alike, so none is joined by itself: add the value to `other_values` of the token.',
      }),
      device: Type.String({
        maxLength: 128,
        description:
          'Name of the controller to which it was last presented, or that last posted a pour with it.',
      }),
      times: Type.Integer({
        minimum: 1,
        description: 'How often it was presented, or posted with a pour without having been presented.',
      }),
      last_seen: { ...IsoSeconds, description: 'UTC time at which it was presented last.' },
    },
    { description: 'A token that belongs to nobody.' },
  ),
);

/** Tokens that belong to nobody, as kegboards and readers presented them or posts of pours contained them, for staff. */
export const listUnknownTokens = defineRoute({
  id: 'listUnknownTokens',
  method: 'get',
  path: '/admin/unknown-tokens',
  summary: 'List unknown tokens that were presented or posted with pours recently, newest first',
  description:
    'For enrolling a card: present it to a reader and take its value from here. The newest hundred are listed.',
  access: 'staff',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      paging: PagingJson,
      unknown_tokens: Type.Array(UnknownTokenJson, { description: 'The most recently presented first.' }),
    }),
  },
  run({ engine }) {
    const tokens = engine.access.unknownTokens
      .list()
      .map((token) =>
        unknownTokenJson(token, engine.access.tokens.similar(token.authDevice, token.tokenValue)),
      );
    return { paging: wholeListPaging(tokens), unknown_tokens: tokens };
  },
});

export const forgetUnknownToken = defineRoute({
  id: 'forgetUnknownToken',
  method: 'delete',
  path: '/admin/unknown-tokens/{token}',
  summary: 'Forget an unknown token until it is presented again',
  description: 'Drinks posted with it stay. 404 for a token that is not in the list of unknown ones.',
  access: 'staff',
  accepts: {
    params: Open({
      token: Type.String({
        minLength: 2,
        maxLength: 256,
        description: 'Its `id`: device and value joined by `|`; the device may be empty.',
      }),
    }),
  },
  replies: { status: 200, body: Closed({}) },
  run({ engine }, { params: { token } }) {
    // A device contains no bar.
    const [authDevice = '', ...value] = token.split('|');
    engine.access.unknownTokens.forget({ authDevice, tokenValue: value.join('|') });
    return {};
  },
});

const unknownTokenJson = (
  token: SeenToken,
  similar: readonly AuthToken[],
): Static<typeof UnknownTokenJson> => ({
  id: `${token.authDevice}|${token.tokenValue}`,
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  raw: token.raw,
  looks_like: similar.map(tokenJson),
  device: token.device,
  times: token.times,
  last_seen: isoSeconds(token.lastTimeMs),
});
