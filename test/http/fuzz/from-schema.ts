import fc from 'fast-check';

/** The parts of JSON Schema that our documents use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** Resolves a `$ref`. */
export type Resolve = (schema: Schema) => Schema;

/** Creates a resolver for the references of one document. */
export function createResolver(document: {
  components: { schemas: Readonly<Record<string, object>> };
}): Resolve {
  return function resolve(schema): Schema {
    if (schema.$ref === undefined) return schema;
    return resolve(document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)] as Schema);
  };
}

/** Maximum length of generated texts and lists. */
const maxGenerated = { text: 24, list: 3 };

/** Maximum of generated whole numbers. */
const maxInteger = 1_000_000_000;

/** Generates valid values; `known` are texts and numbers of earlier answers, used where they are valid. */
export function validValues(
  schema: Schema,
  resolve: Resolve,
  known: readonly unknown[] = [],
): fc.Arbitrary<unknown> {
  const { const: only, enum: choices, anyOf, type, ...rest } = resolve(schema);
  const inner = (one: Schema) => validValues(one, resolve, known);
  if (only !== undefined) return fc.constant(only);
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(inner));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return wholeNumbers(rest, known);
    case 'number':
      return numbers(rest);
    case 'string':
      return texts(rest, known);
    case 'array':
      return fc.array(rest.items === undefined ? fc.anything() : inner(rest.items), {
        minLength: rest.minItems ?? 0,
        maxLength: Math.min(
          rest.maxItems ?? maxGenerated.list,
          Math.max(maxGenerated.list, rest.minItems ?? 0),
        ),
      });
    default: {
      const { properties = {}, required = [] } = rest;
      const members = Object.entries(properties).map(([name, one]) => [name, inner(one)] as const);
      return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
    }
  }
}

function wholeNumbers(
  { minimum = -maxInteger, maximum = maxInteger }: Schema,
  known: readonly unknown[],
): fc.Arbitrary<number> {
  const isInRange = (value: unknown): value is number =>
    Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  const [min, max] = [Math.max(minimum, -maxInteger), Math.min(maximum, maxInteger)];
  const small = fc.integer({ min: min, max: Math.min(max, min + 9) });
  const edge = fc
    .constantFrom(minimum, maximum)
    .filter((value) => Math.abs(value) <= Number.MAX_SAFE_INTEGER);
  const matching = known.filter(isInRange);
  return fc.oneof(
    { arbitrary: small, weight: 4 },
    fc.integer({ min: min, max: max }),
    edge,
    ...(matching.length > 0 ? [{ arbitrary: fc.constantFrom(...matching), weight: 6 }] : []),
  );
}

function numbers({ minimum, exclusiveMinimum, maximum = maxInteger }: Schema): fc.Arbitrary<number> {
  const min = exclusiveMinimum ?? minimum ?? -maxInteger;
  return fc.oneof(
    fc
      .double({ min: min, max: maximum, minExcluded: exclusiveMinimum !== undefined, noNaN: true })
      .map((value) => value + 0),
    fc.integer({
      min: Math.ceil(min) + (exclusiveMinimum === undefined ? 0 : 1),
      max: Math.max(Math.ceil(min) + 1, Math.floor(Math.min(maximum, 1_000))),
    }),
  );
}

function texts(
  { pattern, minLength = 0, maxLength = maxGenerated.text }: Schema,
  known: readonly unknown[],
): fc.Arbitrary<string> {
  const form = pattern === undefined ? null : new RegExp(pattern);
  const fits = (value: unknown): value is string =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    (form?.test(value) ?? true);
  const max = Math.min(maxLength, Math.max(maxGenerated.text, minLength));
  const matching = known.filter(fits);
  const generated =
    form === null
      ? fc.oneof(
          fc.string({ minLength, maxLength: max }),
          fc.string({ minLength, maxLength: max, unit: 'binary' }).filter(fits),
        )
      : fc.stringMatching(form).filter(fits);
  return matching.length === 0
    ? generated
    : fc.oneof(generated, { arbitrary: fc.constantFrom(...matching), weight: 3 });
}

/** An invalid object and the field that makes it invalid. */
export interface InvalidInput {
  readonly field: string;
  readonly why: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Values of every type; some are invalid for any field. */
const oddValues: readonly unknown[] = [{ odd: 1 }, ['odd', ['odd']], 'no such thing', true, -0.5, null];

/**
 * Returns objects that are invalid for one reason each: a field missing, unknown, of a wrong type, too small, too large
 * or too long. `good` is valid; `isValid` checks one field.
 */
export function invalidInputs(
  schema: Schema,
  {
    good,
    isValid,
    resolve,
  }: {
    good: Readonly<Record<string, unknown>>;
    isValid(field: Schema, value: unknown): boolean;
    resolve: Resolve;
  },
): InvalidInput[] {
  const { properties = {}, required = [], additionalProperties } = resolve(schema);
  const missing = required.map((field) => {
    const { [field]: _gone, ...value } = good;
    return { field, why: 'missing', value };
  });
  const unknown =
    additionalProperties === false
      ? [{ field: 'whisky', why: 'unknown', value: { ...good, whisky: 1 } }]
      : [];
  const fields =
    typeof additionalProperties === 'object' ? { whisky: additionalProperties, ...properties } : properties;
  const wrong = Object.entries(fields).flatMap(([field, one]) =>
    [...oddValues.map((value) => ['of a wrong type', value] as const), ...outOfRange(resolve(one), resolve)]
      .filter(([, value]) => !isValid(one, value))
      .map(([why, value]) => ({ field, why, value: { ...good, [field]: value } })),
  );
  return [...missing, ...unknown, ...wrong];
}

function outOfRange(schema: Schema, resolve: Resolve): (readonly [why: string, value: unknown])[] {
  const { minimum, exclusiveMinimum, maximum, minLength = 0, maxLength, maxItems, anyOf = [] } = schema;
  return [
    ...(minimum === undefined ? [] : [['too small', minimum - 1] as const]),
    ...(exclusiveMinimum === undefined ? [] : [['too small', exclusiveMinimum] as const]),
    ...(maximum === undefined ? [] : [['too large', maximum * 2 + 1] as const]),
    ...(minLength > 1 ? [['too short', 'x'.repeat(minLength - 1)] as const] : []),
    ...(maxLength === undefined ? [] : [['too long', 'x'.repeat(maxLength + 1)] as const]),
    ...(maxItems === undefined ? [] : [['too many', Array.from({ length: maxItems + 1 }, () => 1)] as const]),
    ...anyOf.flatMap((one) => outOfRange(resolve(one), resolve)),
  ];
}
