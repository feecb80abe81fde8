import {
  type Field,
  type Fields,
  type JsonName,
  jsonName,
  listFields,
  mayBeEmpty,
} from '../../../core/records/fields.ts';
import { findText } from '../../locales/locale.ts';
import type { MessageGroup } from '../../locales/translator.ts';
import type { FieldSpec } from './field-spec.ts';

type Spec<K extends FieldSpec['kind'], O> = Extract<FieldSpec, { kind: K }> & O;
type NullOptional<F> = F extends { readonly orNull: true } ? { readonly optional: 'null' } : unknown;
/** The form field of a declared field. */
type SpecOf<F> = F extends { readonly kind: 'choice'; readonly of: readonly (infer T extends string)[] }
  ? Omit<Spec<'choice', unknown>, 'options'> & { readonly options: Readonly<Record<T, string>> }
  : F extends { readonly kind: 'flag' }
    ? Spec<'flag', unknown>
    : F extends { readonly kind: 'number' | 'whole' }
      ? Spec<'number' | 'whole', NullOptional<F>>
      : F extends { readonly kind: 'lines' }
        ? Spec<'lines', unknown>
        : Spec<'text' | 'password', unknown>;

/** The values of a record as the API has them, or none for a new one. */
type Shown = object | null;

/** Makes the form fields of records of one kind: `texts` has their labels by the names in JSON, and `choices` those of the choices. */
export const recordInputs =
  <D extends Fields>(fields: D, texts: MessageGroup, choices: MessageGroup = texts) =>
  <N extends keyof D & string>(name: N, record: Shown) =>
    toSpec(jsonName(name, fields[name]!), fields[name]!, record, texts, choices) as SpecOf<D[N]> & {
      readonly name: JsonName<N, D[N]>;
    };

/** The form fields of all declared fields, in their order. */
export function allRecordInputs<D extends Fields>(fields: D, texts: MessageGroup, record: Shown) {
  const input = recordInputs(fields, texts);
  return listFields(fields).map(([name]) => input(name, record)) as readonly {
    [N in keyof D & string]: SpecOf<D[N]> & { readonly name: JsonName<N, D[N]> };
  }[keyof D & string][];
}

function toSpec(
  name: string,
  field: Field,
  record: Shown,
  texts: MessageGroup,
  choices: MessageGroup,
): FieldSpec {
  const label = findText(texts, name) ?? capitalize(findText('audit.fields', name) ?? name);
  const value: unknown = record === null ? undefined : Reflect.get(record, name);
  const base = { name, label };
  switch (field.kind) {
    case 'flag':
      return { ...base, kind: 'flag', value: value === true };
    case 'choice': {
      const options = Object.fromEntries(field.of.map((one) => [one, findText(choices, one) ?? one]));
      return { ...base, kind: 'choice', options, value: String(value ?? field.default ?? field.of[0]) };
    }
    case 'number':
    case 'whole':
      return {
        ...base,
        kind: field.kind,
        value: (value ?? null) as number | null,
        min: field.min === Number.MIN_VALUE ? 0 : field.min,
        max: field.max,
        ...(field.unit !== undefined && { unit: field.unit }),
        ...(field.digits !== undefined && { digits: field.digits }),
        ...(field.orNull && { optional: 'null' }),
      };
    case 'lines':
      return { ...base, kind: 'lines', value: String(value ?? ''), maxLength: field.max, optional: 'empty' };
    default: {
      const limits = 'max' in field ? { minLength: field.min, maxLength: field.max } : {};
      const isOptional = field.orNull || mayBeEmpty(field);
      return {
        ...base,
        kind: 'text',
        value: String(value ?? ''),
        ...limits,
        ...(isOptional && { optional: 'empty' }),
      };
    }
  }
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
