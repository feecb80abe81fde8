import type * as Type from 'typebox';

/**
 * The few words the configuration's schema is written in. They make plain JSON Schema and carry typebox's types, but
 * none of its seven hundred modules: those take longer to load than a Pi needs to start counting.
 */

/** What any setting may say of itself. */
interface About<T> {
  readonly description: string;
  readonly default?: T;
  /** Unit of a number, for people. */
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
  /** Needs a line in `allowed-words.ts`, or people read the pattern itself. */
  readonly pattern?: string;
}

interface ListRule extends About<readonly []> {
  readonly maxItems: number;
}

/** Keys that may be absent; kept beside the schemas so that the schemas stay plain JSON. */
const optional = new WeakSet<object>();

export const Text = (rule: TextRule) => as<Type.TString>({ type: 'string', ...rule });
export const Int = (rule: NumberRule) => as<Type.TInteger>({ type: 'integer', ...rule });
export const Num = (rule: NumberRule) => as<Type.TNumber>({ type: 'number', ...rule });
export const Bool = (rule: About<boolean>) => as<Type.TBoolean>({ type: 'boolean', ...rule });

export const Enum = <const V extends string[]>(values: readonly [...V], rule: About<V[number]>) =>
  as<Type.TEnum<V>>({ enum: values, ...rule });

export const List = <T extends Type.TSchema>(items: T, rule: ListRule) =>
  as<Type.TArray<T>>({ type: 'array', items, ...rule });

/** A setting without a default that may be left out. */
export function Optional<T extends Type.TSchema>(schema: T): Type.TOptional<T> {
  optional.add(schema);
  return schema as Type.TOptional<T>;
}

/** A closed group: an unknown key is a typing error somebody should hear of. */
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

/** Says which type a plain schema stands for; the tests hold the words to it. */
function as<T extends Type.TSchema>(schema: object): T {
  return schema as T;
}
