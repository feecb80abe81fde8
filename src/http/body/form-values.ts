import type Type from 'typebox';
import type { Fields } from '../routes/route.ts';

/** A number as people and programs write it, checked from end to end: `12abc`, `nan` and `inf` are not numbers. */
const numberText = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

const booleanTexts = new Map([
  ...['true', '1', 'on', 'yes'].map((text) => [text, true] as const),
  ...['false', '0', 'off', 'no'].map((text) => [text, false] as const),
]);

/** The boolean a form's text stands for, undefined when it stands for none. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? booleanTexts.get(value.toLowerCase()) : undefined;
}

/** The finite number a text stands for from end to end, undefined when it stands for none. */
export function parseNumber(text: string): number | undefined {
  if (!numberText.test(text)) return undefined;
  const value = Number(text);
  // Adding 0 turns −0 into 0, which every reader of our JSON understands alike. 1e400 is not finite.
  return Number.isFinite(value) ? value + 0 : undefined;
}

/**
 * Reads the texts of a form, query or path as the schema's properties ask: numbers and booleans from text, an empty
 * or null field as absent. What cannot be read stays text, so that the schema refuses it with the field's name.
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
  const types = typesOf(schema);
  if (types.has('boolean')) return parseBoolean(text) ?? text;
  if (types.has('integer') || types.has('number')) return parseNumber(text) ?? text;
  return text;
}

/** Schemas are declared once and asked for ever after. */
const knownTypes = new WeakMap<Type.TSchema, ReadonlySet<unknown>>();

function typesOf(schema: Type.TSchema): ReadonlySet<unknown> {
  const known = knownTypes.get(schema);
  if (known) return known;
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly Type.TSchema[] };
  const types = new Set(anyOf ? anyOf.flatMap((one) => [...typesOf(one)]) : [type]);
  knownTypes.set(schema, types);
  return types;
}
