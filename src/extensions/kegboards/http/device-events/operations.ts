import Type from 'typebox';
import type { OperationExamples } from '../../../../http/openapi/examples.ts';
import type { OtherOperation } from '../../../../http/routes/api-definition.ts';
import { AnyObject, Maybe, named, Open } from '../../../../http/routes/schemas.ts';
import { batchWith } from './envelope.ts';
import { eventData } from './events.ts';

const text = (description: string) => Type.String({ description });

const toComponentName = (kind: string): string =>
  `DeviceEvent${kind.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())}`;

/** The data of an event by its kind. Others are accepted as well: an unusable event is logged and confirmed. */
const EventData = Type.Union(
  [
    ...Object.entries(eventData).map(([kind, data]) =>
      named(toComponentName(kind), { ...data, description: `Data of an event of the type \`${kind}\`.` }),
    ),
    AnyObject('Data of another type.'),
  ],
  { description: 'What happened, by the type of the event.' },
);

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
    pairing: Open(
      {
        state: text('`pending` until staff decide; then `allowed`, or `denied`.'),
        code: Maybe(text('While `pending`: the code to show on the kegboard, six digits.')),
        token: Maybe(text('When `allowed`: the token for `Authorization: Bearer` of all later requests.')),
      },
      { description: 'State of the kegboard’s request to be allowed.' },
    ),
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

const mediaType = 'application/json';

const batch = {
  v: 1,
  device: 'kegboard-0a1b2c',
  boot_id: '5f3a90c1',
  sent_uptime_ms: 61_250,
  events: [
    {
      id: 1,
      type: 'pour',
      age_ms: 1_200,
      data: { meter_number: 0, pour_id: 'p-7', volume_ml: 330, duration_ms: 9_400, ticks: 899 },
    },
    { id: 2, type: 'temperature', age_ms: 40, data: { sensor: 'fridge', temp_c: 4.5 } },
  ],
};

const examples: OperationExamples = {
  paired: {
    summary: 'A paired kegboard reports a pour and a temperature',
    body: batch,
    reply: { status: 200, mediaType, body: { commands: [] } },
  },
  unpaired: {
    summary: 'A kegboard without a token asks for pairing and shows the code',
    body: batch,
    reply: { status: 401, mediaType, body: { pairing: { state: 'pending', code: '483019' } } },
  },
  anotherVersion: {
    summary: 'A batch of a later version of the protocol',
    body: { ...batch, v: 2 },
    reply: { status: 400, mediaType, body: { error: 'unsupported_version' } },
  },
};

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
  request: named('DeviceEventBatch', batchWith(EventData)),
  examples,
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
