import Type, { type Static } from 'typebox';
import type { SeenToken } from '../../../core/controllers/kegboards.ts';
import { defineRoute } from '../../routes/route.ts';
import { Closed, IsoSeconds, isoSeconds, named } from '../../routes/schemas.ts';

const UnknownTokenJson = named(
  'UnknownToken',
  Closed({
    auth_device: Type.String({ maxLength: 64, description: 'Kind of reader, such as `core.rfid`.' }),
    token_value: Type.String({ maxLength: 128, description: 'Value of the token.' }),
    device: Type.String({ description: 'Device to which it was last presented.' }),
    times: Type.Integer({ minimum: 1, description: 'How often it was presented since the start.' }),
    last_seen: { ...IsoSeconds, description: 'UTC time at which it was presented last.' },
  }),
);

/** Tokens that belong to nobody, as kegboards and readers presented them, for staff. */
export const listUnknownTokens = defineRoute({
  id: 'listUnknownTokens',
  method: 'get',
  path: '/admin/unknown-tokens',
  summary: 'List unknown tokens that were presented recently, newest first',
  description:
    'For enrolling a card: present it to a reader and take its value from here. The newest hundred are listed.',
  access: 'staff',
  accepts: {},
  replies: {
    status: 200,
    body: Closed({
      unknown_tokens: Type.Array(UnknownTokenJson, { description: 'The most recently presented first.' }),
    }),
  },
  run: ({ engine }) => ({ unknown_tokens: engine.kegboards.unknownTokens().map(unknownTokenJson) }),
});

const unknownTokenJson = (token: SeenToken): Static<typeof UnknownTokenJson> => ({
  auth_device: token.authDevice,
  token_value: token.tokenValue,
  device: token.device,
  times: token.times,
  last_seen: isoSeconds(token.lastTimeMs),
});
