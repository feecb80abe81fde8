import Type from 'typebox';
import { omitUndefined } from '../../../core/omit-undefined.ts';
import {
  type Field,
  type Fields,
  fieldDefault,
  type JsonName,
  jsonName,
  listFields,
  mayBeEmpty,
  type NewValues,
  type RequiredNames,
  type TextField,
  type ValuesOf,
} from '../../../core/records/fields.ts';
import { AnyId, toId } from '../../routes/input-values.ts';
import {
  CalendarDate,
  errorWords,
  Id,
  IsoSeconds,
  isoSeconds,
  Maybe,
  Nullable,
} from '../../routes/schemas.ts';

type Input<F, V> = F extends { readonly kind: 'ref' } ? V | string : V;
type OptionalInput<F, V> = F extends { readonly kind: 'text' | 'lines' } ? Input<F, V> | null : Input<F, V>;
type RequiredJson<D extends Fields> = {
  [N in RequiredNames<D>]: JsonName<N, D[N]>;
}[RequiredNames<D>];
/** The properties of a request that writes fields of `D`; those in `R` must be there. */
type InputSchemas<D extends Fields, R extends keyof D> = {
  [N in R as JsonName<N, D[N]>]: Type.TUnsafe<Input<D[N], ValuesOf<D>[N]>>;
} & {
  [N in Exclude<keyof D, R> as JsonName<N, D[N]>]: Type.TOptional<
    Type.TUnsafe<OptionalInput<D[N], ValuesOf<D>[N]>>
  >;
};

type Shown<F, V> = F extends { readonly kind: 'time' } ? (V extends number ? string : V) : V;
type ShownNames<D extends Fields> = {
  [N in keyof D]: D[N] extends { readonly staffOnly: true } ? never : N;
}[keyof D];
/** The fields of `D` as replies have them. */
export type RecordJson<D extends Fields> = {
  [N in ShownNames<D> as JsonName<N, D[N]>]: Shown<D[N], ValuesOf<D>[N]>;
} & { [N in Exclude<keyof D, ShownNames<D>> as JsonName<N, D[N]>]?: ValuesOf<D>[N] };

type RecordSchemas<D extends Fields> = {
  [N in ShownNames<D> as JsonName<N, D[N]>]: Type.TUnsafe<Shown<D[N], ValuesOf<D>[N]>>;
} & {
  [N in Exclude<keyof D, ShownNames<D>> as JsonName<N, D[N]>]: Type.TOptional<Type.TUnsafe<ValuesOf<D>[N]>>;
};

function textSchema({ pattern, allowed, orNull, min, max }: TextField, description: string) {
  if (pattern !== undefined)
    return Type.String({ pattern, description, ...(allowed && errorWords(allowed.fault, allowed.rule)) });
  return Type.String({ minLength: orNull ? 0 : min, maxLength: max, description });
}

function plainSchema(field: Field, description: string): Type.TSchema {
  switch (field.kind) {
    case 'flag':
      return Type.Boolean({ description });
    case 'choice':
      return Type.Enum([...field.of], { description });
    case 'date':
      return { ...CalendarDate, description };
    case 'time':
      return { ...IsoSeconds, description };
    case 'ref':
      return { ...Id, description };
    case 'number':
    case 'whole': {
      const { min, max, unit, kind } = field;
      const limits = min === Number.MIN_VALUE ? { exclusiveMinimum: 0 } : { minimum: min };
      const maximum = max === Number.MAX_VALUE ? undefined : max;
      const options = { ...limits, ...omitUndefined({ maximum, 'x-unit': unit }), description };
      return kind === 'whole' ? Type.Integer(options) : Type.Number(options);
    }
    case 'text':
    case 'lines':
      return textSchema(field, description);
  }
}

/** What a missing value means in a request. */
function missingNote(field: Field): string {
  if (field.otherwise !== undefined) return `; default: ${field.otherwise}`;
  if (field.orNull) return '; null when unknown';
  if (mayBeEmpty(field)) return '; empty for none';
  if (field.kind === 'flag') return '; false by default';
  return field.kind === 'choice' && field.default !== undefined ? `; \`${field.default}\` by default` : '';
}

function inputSchema(field: Field, isRequired: boolean): Type.TSchema {
  const description = `${field.about}${missingNote(field)}.`;
  const schema = field.kind === 'ref' ? { ...AnyId, description } : plainSchema(field, description);
  if (isRequired) return schema;
  const takesNull = field.orNull || (mayBeEmpty(field) && !('pattern' in field));
  return Maybe(takesNull ? Nullable(schema) : schema);
}

/** The properties of a request that creates a record: what has no default is required. */
export const newRecordSchemas = <D extends Fields>(fields: D): InputSchemas<D, RequiredNames<D>> =>
  Object.fromEntries(
    listFields(fields).map(([name, field]) => [
      jsonName(name, field),
      inputSchema(field, fieldDefault(field) === undefined && field.otherwise === undefined),
    ]),
  ) as InputSchemas<D, RequiredNames<D>>;

/** The properties of a request that changes a record. */
export const recordChangeSchemas = <D extends Fields>(fields: D): InputSchemas<D, never> =>
  Object.fromEntries(
    listFields(fields).map(([name, field]) => [jsonName(name, field), inputSchema(field, false)]),
  ) as InputSchemas<D, never>;

/** The properties of a reply with these fields; those for staff may be absent. */
export const recordSchemas = <D extends Fields>(fields: D) =>
  Object.fromEntries(
    listFields(fields).map(([name, field]) => {
      const note = field.orNull ? '; null when unknown' : mayBeEmpty(field) ? '; may be empty' : '';
      const schema = plainSchema(
        field,
        `${field.about}${note}${field.staffOnly ? '. Shown to staff only' : ''}.`,
      );
      const shown = field.orNull ? Nullable(schema) : schema;
      return [jsonName(name, field), field.staffOnly ? Maybe(shown) : shown];
    }),
  ) as unknown as RecordSchemas<D>;

/** The fields of a request; those that are absent stay absent. Null is no text, or stands for a default. */
export function toFields<D extends Fields, B extends object>(
  fields: D,
  body: B,
): B extends Record<RequiredJson<D>, unknown> ? NewValues<D> : Partial<ValuesOf<D>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of listFields(fields)) {
    const value: unknown = Reflect.get(body, jsonName(name, field));
    if (value === undefined || (value === null && field.otherwise !== undefined)) continue;
    if (value === null) values[name] = field.orNull ? null : '';
    else values[name] = field.kind === 'ref' ? toId(value as number | string) : value;
  }
  return values as ReturnType<typeof toFields<D, B>>;
}

/** Makes the function that returns a record as JSON: all fields, or the ones that only staff see. */
export function recordJson<D extends Fields>(fields: D, which: 'public' | 'staff' = 'public') {
  const shown = listFields(fields)
    .filter(([, { staffOnly = false }]) => staffOnly === (which === 'staff'))
    .map(([name, field]) => ({ name, json: jsonName(name, field), isTime: field.kind === 'time' }));
  return (record: ValuesOf<D>) => {
    const json: Record<string, unknown> = {};
    for (const { name, json: key, isTime } of shown) {
      const value = record[name];
      json[key] = isTime && value !== null ? isoSeconds(value as number) : value;
    }
    return json as RecordJson<D>;
  };
}
