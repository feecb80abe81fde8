import Type, { type Static } from 'typebox';
import { omitUndefined } from '../../core/omit-undefined.ts';
import type { Rule } from '../../core/reasons.ts';

/** Component names of schemas in the OpenAPI document; kept outside the schemas so that these stay standard. */
const schemaNames = new WeakMap<object, string>();

/** Returns the component name of a schema, if any. */
export const schemaName = (schema: object): string | undefined => schemaNames.get(schema);

/** Gives a schema a component name in the OpenAPI document without changing it. */
export function named<S extends Type.TSchema>(name: string, schema: S): S {
  schemaNames.set(schema, name);
  return schema;
}

/** Describes a schema that has neither a description nor a component name; others stay as they are. */
export const described = (schema: Type.TSchema, description: string): Type.TSchema =>
  schemaNames.has(schema) || 'description' in schema ? schema : { ...schema, description };

/** An object with these properties only: an unknown key is probably a typing error and is rejected. */
export const Closed = <P extends Type.TProperties>(properties: P, options: { description?: string } = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** An object that ignores further properties, since legacy clients send unused ones. */
export const Open = <P extends Type.TProperties>(properties: P, options: { description?: string } = {}) =>
  Type.Object(properties, options);

/** An object with any properties, decided elsewhere: a client must not expect particular ones. */
export const AnyObject = (description: string) =>
  Type.Unsafe<object>(Type.Object({}, { additionalProperties: true, description }));

/** The schema or null. */
export const Nullable = <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** Makes a property optional; keeps its component name. */
export function Maybe<S extends Type.TSchema>(schema: S) {
  const optional = Type.Optional(schema);
  const name = schemaNames.get(schema);
  if (name !== undefined) schemaNames.set(optional, name);
  return optional;
}

/**
 * Says beside a `pattern` or a union what the field must be, for the error; `allowed` follows the field's name. Without it the
 * error could only show the pattern, which people cannot read. `rule` names it for translation.
 */
export const errorWords = (allowed: string, rule?: Rule) => ({
  'x-error': { allowed, ...omitUndefined({ rule }) },
});

export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Identifier, a positive whole number.',
});

/** The id of a tap, session, beverage or thermo sensor in answers; all other ids are numbers. */
export const TextId = Type.String({
  minLength: 1,
  maxLength: 16,
  description: 'Identifier, the decimal text of a positive whole number.',
});

/** The specification has a text here, although a producer's own `id` is a number. */
export const BrewerId = Type.String({
  minLength: 1,
  maxLength: 16,
  description: 'The `id` of its producer, as decimal text.',
});

export const TapRef = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'A tap, by its id or by the full name of its meter such as `pi.flow0`.',
});

export const Ticks = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  'x-unit': 'ticks',
  description: 'Ticks counted by the flow meter.',
});

export const VolumeMl = Type.Number({
  minimum: 0,
  maximum: 10_000_000,
  'x-unit': 'mL',
  description: 'Volume in millilitres.',
});

/** A sum of volumes, without an upper bound. */
export const TotalMl = Type.Number({ minimum: 0, 'x-unit': 'mL', description: 'Volume in millilitres.' });

/** Remaining volume; may be negative, since a keg can hold more than its label says. */
export const RemainMl = Type.Number({
  'x-unit': 'mL',
  description: 'Volume left in millilitres; negative when more was poured than the keg should hold.',
});

/** How full a keg is, in all formats but kegbot's. */
export const PercentFull = Type.Number({
  description:
    'How full the keg is, as a fraction: 1 is full, 0.25 a quarter, 0 empty; negative when more was poured than it should hold.',
});

export const DurationSeconds = Type.Integer({
  minimum: 0,
  maximum: 86_400,
  'x-unit': 's',
  description: 'Seconds from the first tick to the last.',
});

export const UnixSeconds = Type.Integer({
  minimum: 0,
  maximum: 4_102_444_800,
  'x-unit': 's',
  description: 'Unix time, whole seconds since 1970-01-01T00:00:00Z.',
});

export const IsoSeconds = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$',
  description: 'UTC time, `YYYY-MM-DDTHH:MM:SSZ`.',
});

/** A date of the calendar; the engine checks that it exists. */
export const CalendarDate = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  description: 'A date, `YYYY-MM-DD`.',
  ...errorWords('must be a date such as 2024-09-01', { name: 'date' }),
});

export const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'Currency of all prices, ISO 4217, three letters.',
  ...errorWords('must be three letters such as EUR', { name: 'currency' }),
});

export const TempC = Type.Number({
  minimum: -50,
  maximum: 125,
  'x-unit': '°C',
  description: 'Temperature in degrees Celsius.',
});

export const PourId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[!-~]+$',
  ...errorWords('must be letters, digits and signs of ASCII without blanks, at most 64', { name: 'ascii' }),
  description: 'The poster’s own name for this pour: posting it twice records it once.',
});

export type IsoSeconds = Static<typeof IsoSeconds>;

/** Formats a time in UTC, truncated to seconds, as all APIs write it. */
export const isoSeconds = (wallMs: number): IsoSeconds => `${new Date(wallMs).toISOString().slice(0, 19)}Z`;
