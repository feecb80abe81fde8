import Type, { type Static } from 'typebox';

/** Names under which the printed document lists a schema; kept aside so that the atoms stay plain. */
const schemaNames = new WeakMap<object, string>();

/** The name a schema was declared with, if any. */
export const schemaName = (schema: object): string | undefined => schemaNames.get(schema);

/** Gives a schema a name in the printed document. The schema itself stays as it is. */
export function named<S extends Type.TSchema>(name: string, schema: S): S {
  schemaNames.set(schema, name);
  return schema;
}

/** An object with these properties and no others: an unknown key is a typing error somebody should hear of. */
export const Closed = <P extends Type.TProperties>(properties: P, options: { description?: string } = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object in which further properties do no harm; old clients send some that nobody reads. */
export const Open = <P extends Type.TProperties>(properties: P, options: { description?: string } = {}) =>
  Type.Object(properties, options);

/** The same schema, or null. */
export const Nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** The same schema, or absent; keeps its name in the printed document. */
export function Maybe<S extends Type.TSchema>(schema: S) {
  const optional = Type.Optional(schema);
  const name = schemaNames.get(schema);
  if (name !== undefined) schemaNames.set(optional, name);
  return optional;
}

export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identifier, a positive whole number.',
});

export const TextId = Type.String({ minLength: 1, maxLength: 16, description: 'Identifier, as text.' });

export const TapRef = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A tap, by its id or by the full name of its meter such as `pi.flow0`.',
});

export const Ticks = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  unit: 'ticks',
  description: 'Ticks counted by the flow meter.',
});

export const VolumeMl = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  unit: 'mL',
  description: 'Volume in millilitres.',
});

/** A sum of volumes, which has no bound of its own. */
export const TotalMl = Type.Number({ minimum: 0, unit: 'mL', description: 'Volume in millilitres.' });

/** What remains in a keg may be less than nothing: a keg gives more than its label now and then. */
export const RemainMl = Type.Number({
  unit: 'mL',
  description: 'Volume left in millilitres; negative when more was poured than the keg should hold.',
});

export const DurationSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  unit: 's',
  description: 'Seconds from the first tick to the last.',
});

export const UnixSeconds = Type.Integer({
  minimum: 0,
  maximum: 4_102_444_800,
  unit: 's',
  description: 'Unix time, whole seconds since 1970-01-01T00:00:00Z.',
});

export const IsoSeconds = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  description: 'UTC time, `YYYY-MM-DDTHH:MM:SSZ`.',
});

export const TempC = Type.Number({
  minimum: -50,
  maximum: 125,
  unit: '°C',
  description: 'Temperature in degrees Celsius.',
});

export const PourId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[!-~]+$',
  description: 'The poster’s own name for this pour: posting it twice records it once.',
});

export type IsoSeconds = Static<typeof IsoSeconds>;

/** A time as every face of the house writes it, cut to the second. */
export const isoSeconds = (wallMs: number): IsoSeconds => `${new Date(wallMs).toISOString().slice(0, 19)}Z`;
