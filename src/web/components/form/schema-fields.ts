import { fileHref } from '../../api/client.ts';
import { listTexts } from '../../locales/locale.ts';
import type { MessageGroup } from '../../locales/translator.ts';
import type { FieldSpec } from './field-spec.ts';

/** A field of a request body as the OpenAPI document declares it. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  /** True when null is allowed beside `type`: the field may stay empty. */
  readonly isNullable: boolean;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Labels of the fields of one form and of their choices, by the names of the API. */
export interface FieldLabels {
  readonly labels: Readonly<Record<string, string>>;
  readonly choices: Readonly<Record<string, string>>;
}

/** Returns the texts of two groups of the catalogue as labels of fields and of their choices. */
export const listFieldLabels = (labels: MessageGroup, choices?: MessageGroup): FieldLabels => ({
  labels: listTexts(labels),
  choices: choices === undefined ? {} : listTexts(choices),
});

/**
 * Loads the fields of the request body of `path` below `/api`, in declared order and without write-only fields; empty
 * when the document cannot be loaded.
 */
export async function loadSchemaFields(
  path: string,
  method: 'patch' | 'post' | 'put' = 'patch',
): Promise<readonly SchemaField[]> {
  try {
    const reply = await fetch(fileHref('GET /schema'));
    const document: unknown = await reply.json();
    const steps = ['paths', `/api${path}`, method, 'requestBody', 'content', 'application/json', 'schema'];
    const properties = [...steps, 'properties'].reduce(getMember, document);
    return Object.entries(properties ?? {})
      .filter(([, schema]) => getMember(schema, 'writeOnly') !== true)
      .map(([name, schema]) => toSchemaField(name, schema));
  } catch {
    return [];
  }
}

/** Converts a schema field and its current value to a form field. */
export function toFieldSpec(field: SchemaField, value: unknown, { labels, choices }: FieldLabels): FieldSpec {
  const { name, type } = field;
  const label = labels[name] ?? name;
  if (field.enum) {
    const options = Object.fromEntries(field.enum.map((one) => [one, choices[one] ?? one]));
    return { kind: 'choice', name, label, value: String(value), options };
  }
  if (type === 'boolean') return { kind: 'flag', name, label, value: value === true };
  if (type === 'integer' || type === 'number') {
    return {
      kind: type === 'integer' ? 'whole' : 'number',
      name,
      label,
      value: value === null || value === undefined ? null : Number(value),
      ...(field.minimum !== undefined && { min: field.minimum }),
      ...(field.maximum !== undefined && { max: field.maximum }),
      ...(field.isNullable && { optional: 'null' as const }),
    };
  }
  const { minLength = 0, maxLength = 255 } = field;
  return {
    kind: 'text',
    name,
    label,
    value: String(value ?? ''),
    minLength,
    maxLength,
    ...(minLength === 0 && { optional: 'empty' as const }),
  };
}

function toSchemaField(name: string, schema: unknown): SchemaField {
  const anyOf = getMember(schema, 'anyOf');
  const branchList: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [schema];
  const isNull = (one: unknown) => getMember(one, 'type') === 'null';
  const nonNull = branchList.find((one) => !isNull(one));
  return { type: 'string', ...(nonNull as object), name, isNullable: branchList.some(isNull) };
}

function getMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
