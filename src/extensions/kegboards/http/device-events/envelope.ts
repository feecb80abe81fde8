import Type, { type Static } from 'typebox';
import { removeHiddenCharacters } from '../../../../core/text/text-rules.ts';
import { Open } from '../../../../http/routes/schemas.ts';

/** An integer that JavaScript represents exactly. */
const SafeInteger = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description });

const Name = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

const Device = Name(
  64,
  'The kegboard’s own name, the same for ever, usually `kegboard-` and its MAC address.',
);

/** An event with the given schema of its data. */
const eventWith = <D extends Type.TSchema>(data: D) =>
  Open({
    id: SafeInteger(1, 'Number of the event, rising by one within a boot. Sent again it changes nothing.'),
    type: Type.String({ description: 'Kind of the event; unknown kinds are accepted and ignored.' }),
    // Only the sign is checked: an implausible age makes a time uncertain and must not reject the batch.
    age_ms: Type.Integer({
      minimum: 0,
      'x-unit': 'ms',
      description:
        'Age of the event when the batch is sent, milliseconds; the time of an event is derived from it.',
    }),
    data,
  });

/** A batch whose events have the given schema of their data. `time` is ignored: kegboards have no reliable clock. */
export const batchWith = <D extends Type.TSchema>(data: D) =>
  Open({
    v: Type.Integer({ description: 'Version of the protocol, 1.' }),
    device: Device,
    boot_id: Name(32, 'Chosen anew at each boot of the kegboard.'),
    sent_uptime_ms: Type.Integer({
      minimum: 0,
      'x-unit': 'ms',
      description: 'Time since the kegboard’s boot, milliseconds.',
    }),
    events: Type.Array(eventWith(data), {
      minItems: 1,
      maxItems: 16,
      description: 'The events, oldest first; the whole batch has at most 16 KiB.',
    }),
  });

/** A batch with unparsed events. */
export const Envelope = batchWith(Type.Object({}));

export type Envelope = Static<typeof Envelope>;
export type WireEvent = Envelope['events'][number];

/** Removes hidden characters from the names in a batch, which would else show two boards under one name. */
export function cleanNames(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const names = ['device', 'boot_id'] as const;
  const texts = names.flatMap((name) => {
    const text = (body as Record<string, unknown>)[name];
    return typeof text === 'string' ? [[name, removeHiddenCharacters(text, 'line')]] : [];
  });
  return { ...body, ...Object.fromEntries(texts) };
}

/** The sender of a batch whose other fields may be invalid. */
export const Sender = Open({ device: Device });
