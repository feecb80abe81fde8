import type * as Type from 'typebox';

/**
 * Builders of the configuration's schema. They create plain JSON Schema with typebox's types but without its
 * 700 modules, which take longer to load than a Pi needs to start counting.
 */

/** The documentation of a setting. */
interface About<T> {
  readonly description: string;
  readonly default?: T;
  /** The default where neither the file nor the page sets it; it is not filled in. */
  readonly pageDefault?: T;
  /** Unit of a number, shown to people. */
  readonly unit?: string;
}

interface NumberRule extends About<number> {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

interface TextRule extends About<string> {
  readonly minLength?: number;
  readonly maxLength: number;
  /** True for a secret: faults do not repeat it. */
  readonly secret?: boolean;
  /** Needs a description in `describe-allowed.ts`; otherwise people see the pattern itself. */
  readonly pattern?: string;
}

interface ListRule extends About<readonly []> {
  readonly maxItems: number;
}

/** Schemas of optional keys; stored outside the schemas so that these stay plain JSON. */
const optional = new WeakSet<object>();

export const Text = (rule: TextRule) => as<Type.TString>({ type: 'string', ...rule });
export const Int = (rule: NumberRule) => as<Type.TInteger>({ type: 'integer', ...rule });
export const Num = (rule: NumberRule) => as<Type.TNumber>({ type: 'number', ...rule });
export const Bool = (rule: About<boolean>) => as<Type.TBoolean>({ type: 'boolean', ...rule });

export const Enum = <const V extends string[]>(values: readonly [...V], rule: About<V[number]>) =>
  as<Type.TEnum<V>>({ enum: values, ...rule });

export const List = <T extends Type.TSchema>(items: T, rule: ListRule) =>
  as<Type.TArray<T>>({ type: 'array', items, ...rule });

/** Marks a setting without a default as optional. */
export function Optional<T extends Type.TSchema>(schema: T): Type.TOptional<T> {
  optional.add(schema);
  return schema as Type.TOptional<T>;
}

/** A closed group: an unknown key is reported, because it is probably a typing error. */
export const Group = <P extends Type.TProperties>(
  properties: P,
  about: { readonly description?: string; readonly default?: Record<string, never> } = {},
) =>
  as<Type.TObject<P>>({
    type: 'object',
    required: Object.keys(properties).filter((key) => !optional.has(properties[key]!)),
    properties,
    additionalProperties: false,
    ...about,
  });

/** Switches by name: a group whose keys are not known here. */
export const Switches = (about: { readonly description: string; readonly default: Record<string, never> }) =>
  as<Type.TRecord<string, Type.TBoolean>>({
    type: 'object',
    additionalProperties: { type: 'boolean' },
    ...about,
  });

/** Casts a plain schema to its typebox type; the tests compare the builders with typebox. */
function as<T extends Type.TSchema>(schema: object): T {
  return schema as T;
}
