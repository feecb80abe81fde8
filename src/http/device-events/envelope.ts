import Type, { type Static } from 'typebox';
import { removeHiddenCharacters } from '../../core/rules/text-rules.ts';
import { Open } from '../routes/schemas.ts';

/** An integer that JavaScript represents exactly. */
const SafeInteger = (minimum: number) => Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER });

const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength, description: 'A name.' });

const WireEvent = Open({
  id: SafeInteger(1),
  type: Type.String(),
  // Only the sign is checked: an implausible age is clamped later and must not reject the batch.
  age_ms: Type.Integer({ minimum: 0 }),
  data: Type.Object({}),
});

/** A batch with unparsed events. `time` is ignored: kegboards have no reliable clock. */
export const Envelope = Open({
  v: Type.Integer(),
  device: Name(64),
  boot_id: Name(32),
  sent_uptime_ms: Type.Integer({ minimum: 0 }),
  events: Type.Array(WireEvent, { minItems: 1, maxItems: 16 }),
});

export type Envelope = Static<typeof Envelope>;
export type WireEvent = Static<typeof WireEvent>;

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
export const Sender = Open({ device: Name(64) });
