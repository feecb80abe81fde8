import Type, { type Static } from 'typebox';
import { Open } from '../../routes/schemas.ts';

/** A whole number that arithmetic can carry. */
const SafeInteger = (minimum: number) => Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER });

/** A name without the character that ends texts in half the world's programs. */
const Name = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$', description: 'A name.' });

const WireEvent = Open({
  id: SafeInteger(1),
  type: Type.String(),
  // Only the sign is judged here: what is too old to be true is cut, never a reason to lose a batch.
  age_ms: Type.Integer({ minimum: 0 }),
  data: Type.Object({}),
});

/** A batch before the events in it are read. `time` is never looked at: boards have no clock to speak of. */
export const Envelope = Open({
  v: Type.Integer(),
  device: Name(64),
  boot_id: Name(32),
  sent_uptime_ms: Type.Integer({ minimum: 0 }),
  events: Type.Array(WireEvent, { minItems: 1, maxItems: 16 }),
});

export type Envelope = Static<typeof Envelope>;
export type WireEvent = Static<typeof WireEvent>;

/** What names the sender of a batch that may be broken everywhere else. */
export const Sender = Open({ device: Name(64) });
