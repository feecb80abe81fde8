import Type from 'typebox';
import type { OtherOperation } from '../routes/api-definition.ts';
import { AnyObject, Maybe, named, Open } from '../routes/schemas.ts';
import { Envelope } from './envelope.ts';

const text = (description: string) => Type.String({ description });

const EventReply = named(
  'DeviceEventReply',
  Open({
    commands: Type.Array(
      Open({
        id: text('Identifies the command; its result names it.'),
        type: text(
          'Kind of the command: `authorize`, `deny`, `deauthorize` and others. Ignore unknown ones.',
        ),
        data: AnyObject('What the command needs, by its kind.'),
      }),
      { description: 'What the kegboard shall do, in this order.' },
    ),
  }),
);

const Pairing = named(
  'DeviceEventPairing',
  Open({
    pairing: Open({
      state: text('`pending` until staff decide; then `allowed`, or `denied`.'),
      code: Maybe(text('While `pending`: the code to show on the kegboard, six digits.')),
      token: Maybe(text('When `allowed`: the token for `Authorization: Bearer` of all later requests.')),
    }),
  }),
);

const Refused = named(
  'DeviceEventFailure',
  Open({
    error: Maybe(
      text('`invalid`, `unsupported_version`, `too_large`, `wrong_method`, `unavailable` or `internal`.'),
    ),
    detail: Maybe(
      Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
        description: 'What is wrong: one text, or name of a field → what is allowed there.',
      }),
    ),
  }),
);

const operation = (id: string, path: string, more: string): OtherOperation => ({
  id,
  path,
  tag: 'device-event',
  summary: 'Report a batch of events of a kegboard',
  description:
    'The device event protocol, version 1. A kegboard without a token is answered 401 with a code, and asks again until staff ' +
    'allow it (`POST /api/admin/kegboards/{device}/allow`); it then gets its token. 200 confirms that the whole batch is ' +
    'stored: a batch sent again, with the same `boot_id` and event ids, changes nothing. At a status of 4xx the kegboard ' +
    `drops the batch, at 503 it keeps it. Neither rate limits nor an unfinished set-up apply to a paired kegboard.${more}`,
  request: named('DeviceEventBatch', Envelope),
  replies: {
    200: { description: 'Everything is stored.', body: EventReply },
    400: {
      description: 'The batch is no JSON, invalid, or of another version of the protocol.',
      body: Refused,
    },
    401: { description: 'The kegboard has no valid token.', body: Pairing },
    413: { description: 'The batch is larger than 16 KiB.', body: Refused },
    415: { description: 'The batch was not sent as `application/json`.', body: Refused },
    500: { description: 'A fault of the server, which is in its log.', body: Refused },
    503: {
      description: 'A temporary fault, or too many requests without a token. Send the batch again later.',
      body: Refused,
    },
  },
});

/** The operations of kegboards for the OpenAPI document. */
export const deviceEventOperations: readonly OtherOperation[] = [
  operation('reportDeviceEvents', '/api/device-event', ''),
  operation('reportKegboardEvents', '/api/kegboard-event', ' This is the address of older kegboards.'),
];
