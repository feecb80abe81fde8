import { omitUndefined } from '../omit-undefined.ts';
import type { SettingFault } from '../settings/setting-declarations.ts';

/** One field of a record. Its type, column, checks, API schemas, JSON, CSV and form input follow from it. */
interface FieldBase {
  /** What the API says about it, without the full stop. */
  readonly about: string;
  /** True when null stands for unknown. */
  readonly orNull?: true;
  /** What it is for a new record when a request leaves it out, where a rule of the engine decides that. */
  readonly otherwise?: string;
  /** True when only staff see it. */
  readonly staffOnly?: true;
  /** Its name in JSON, where that is not the snake case of its own. */
  readonly json?: string;
}

export interface TextField extends FieldBase {
  /** One line, several lines, or a day `YYYY-MM-DD`. */
  readonly kind: 'text' | 'lines' | 'date';
  /** Limits of its length in characters. */
  readonly min: number;
  readonly max: number;
  readonly default?: string;
  /** What requests may contain, and in words what that is. */
  readonly pattern?: string;
  readonly allowed?: SettingFault;
  /** Why a text that has the right length is refused; null when it is not. */
  readonly check?: (text: string) => SettingFault | null;
  /** The stored form of an allowed text. */
  readonly toStored?: (text: string) => string;
}

export interface NumberField extends FieldBase {
  readonly kind: 'number' | 'whole';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  /** Decimals in a form; as many as the value has unless given. */
  readonly digits?: number;
}

export interface ChoiceField<T extends string = string> extends FieldBase {
  readonly kind: 'choice';
  readonly of: readonly T[];
  readonly default?: T;
}

/** True or false; the id of another record; Unix milliseconds. */
export interface PlainField extends FieldBase {
  readonly kind: 'flag' | 'ref' | 'time';
}

export type Field = TextField | NumberField | ChoiceField | PlainField;
export type Fields = Readonly<Record<string, Field>>;

type Value<F> = F extends { readonly kind: 'choice'; readonly of: readonly (infer T)[] }
  ? T
  : F extends { readonly kind: 'flag' }
    ? boolean
    : F extends { readonly kind: 'number' | 'whole' | 'ref' | 'time' }
      ? number
      : string;
type OrNull<F, V> = F extends { readonly orNull: true } ? V | null : V;

/** The values of a record with these fields. */
export type ValuesOf<D extends Fields> = { readonly [N in keyof D]: OrNull<D[N], Value<D[N]>> };

type HasDefault =
  | { readonly orNull: true }
  | { readonly default: string }
  | { readonly otherwise: string }
  | { readonly kind: 'flag' }
  | { readonly kind: 'text' | 'lines'; readonly min: 0 };
/** The fields that a new record must have. */
export type RequiredNames<D extends Fields> = {
  [N in keyof D]: D[N] extends HasDefault ? never : N;
}[keyof D];

/** The values of a new record; those that are left out get their defaults. */
export type NewValues<D extends Fields> = Pick<ValuesOf<D>, RequiredNames<D>> & Partial<ValuesOf<D>>;

export type Snake<S> = S extends `${infer H}${infer T}`
  ? `${H extends Lowercase<H> ? H : `_${Lowercase<H>}`}${Snake<T>}`
  : '';
/** The name of a field in JSON: a time has no unit there. */
export type JsonName<N, F> = F extends { readonly json: infer J extends string }
  ? J
  : F extends { readonly kind: 'time' }
    ? N extends `${infer Time}Ms`
      ? Snake<Time>
      : Snake<N>
    : Snake<N>;

/** The fields in order, with their names. */
export const listFields = <D extends Fields>(fields: D) =>
  Object.entries(fields) as unknown as readonly (readonly [name: keyof D & string, field: Field])[];

/** The column of a field. */
export const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name of a field in JSON and in CSV files. */
export const jsonName = (name: string, { json, kind }: Field): string =>
  json ?? columnName(kind === 'time' ? name.replace(/Ms$/, '') : name);

/** True when a text may be empty, which stands for none. */
export const mayBeEmpty = (field: Field): field is TextField =>
  (field.kind === 'text' || field.kind === 'lines') && field.min === 0 && field.orNull !== true;

/** What a new record has where nothing is given; undefined for a field that must be given. */
export function fieldDefault(field: Field): string | boolean | null | undefined {
  if (field.orNull) return null;
  if ('default' in field) return field.default;
  if (field.kind === 'flag') return false;
  return mayBeEmpty(field) ? '' : undefined;
}

/** The default of each field that has one. */
export const fieldDefaults = <D extends Fields>(fields: D) =>
  omitUndefined(
    Object.fromEntries(listFields(fields).map(([name, field]) => [name, fieldDefault(field)])),
  ) as Omit<ValuesOf<D>, RequiredNames<D>>;
