import type Type from 'typebox';
import { AppError } from '../../../core/app-error.ts';
import type { Fields } from '../../routes/route.ts';

/** More fields than any of our forms has. */
const maxFields = 200;

/** A decimal number, matched as a whole: `12abc`, `nan` and `inf` are not numbers. */
const numberText = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const booleanTexts = new Map([
  ...['true', '1', 'on', 'yes'].map((text) => [text, true] as const),
  ...['false', '0', 'off', 'no'].map((text) => [text, false] as const),
]);

/** Parses `a=1&b=2`. Throws `invalid_request` for invalid encoding, a duplicate field and too many fields. */
export function parseUrlencoded(text: string): Fields {
  const fields: Record<string, string> = Object.create(null);
  let count = 0;
  // Not split at once: a short text may have thousands of fields.
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    count += 1;
    if (count > maxFields) throw new AppError('invalid_request', `More than ${maxFields} fields.`);
    const pair = text.slice(start, end);
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (name in fields) throw new AppError('invalid_request', 'A field is sent twice; send it once.');
    fields[name] = equals < 0 ? '' : decode(pair.slice(equals + 1));
  }
  return fields;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new AppError('invalid_request', 'A field is not valid percent-encoded UTF-8.');
  }
}

/** Parses a boolean of a form; undefined when the value is none. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? booleanTexts.get(value.toLowerCase()) : undefined;
}

/** Parses a finite number; undefined when the whole text is none. */
export function parseNumber(text: string): number | undefined {
  if (!numberText.test(text)) return undefined;
  const value = Number(text);
  // Adding 0 turns −0 into 0, which all JSON parsers read alike. 1e400 is not finite.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * Converts the texts of a form, query or path to the types of the schema: numbers and booleans are parsed, an empty or
 * null field is left out. A text that cannot be parsed stays, so that validation rejects it with the field's name.
 */
export function parseTexts(schema: Type.TObject, fields: Fields): Fields {
  const read: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    if (value === '' || value === null) continue;
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    read[name] = typeof value === 'string' && property ? parseText(property, value) : value;
  }
  return read;
}

function parseText(schema: Type.TSchema, text: string): unknown {
  const types = findTypes(schema);
  if (types.has('boolean')) return parseBoolean(text) ?? text;
  if (types.has('integer') || types.has('number')) return parseNumber(text) ?? text;
  return text;
}

/** Types by schema; schemas are constants. */
const knownTypes = new WeakMap<Type.TSchema, ReadonlySet<unknown>>();

function findTypes(schema: Type.TSchema): ReadonlySet<unknown> {
  const known = knownTypes.get(schema);
  if (known) return known;
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly Type.TSchema[] };
  const types = new Set(anyOf ? anyOf.flatMap((one) => [...findTypes(one)]) : [type]);
  knownTypes.set(schema, types);
  return types;
}
