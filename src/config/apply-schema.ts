import { findClosest } from '../core/text/find-closest.ts';
import { findHiddenCharacter } from '../core/text/text-rules.ts';
import { describeAllowed, type ValueSchema } from './describe-allowed.ts';

/** Bound of the reported faults; a file with more is not a Tapster configuration. */
const maxFaults = 100;

/** A schema as `schema-builders.ts` creates it. */
interface SettingSchema extends ValueSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[] | undefined;
  readonly items?: SettingSchema;
  /** The schema of every member of a group without declared keys. */
  readonly additionalProperties?: false | SettingSchema;
}

/** A check of one file. */
interface Check {
  /** The schema of the whole file. */
  readonly root: SettingSchema;
  readonly faults: string[];
}

/**
 * Fills in the schema's defaults, in place, and returns one sentence per fault. An empty list means that
 * `data` fits the schema, which is one of `schemaWith`.
 */
export function applySchema(data: unknown, schema: object): string[] {
  const faults: string[] = [];
  checkValue('', schema as SettingSchema, data, { root: schema as SettingSchema, faults });
  if (faults.length <= maxFaults) return faults;
  return [...faults.slice(0, maxFaults), `… and ${faults.length - maxFaults} more faults.`];
}

function checkValue(path: string, schema: SettingSchema, value: unknown, check: Check): void {
  const { faults } = check;
  const name = path === '' ? 'The configuration' : path;
  const hidden = typeof value === 'string' ? findHiddenCharacter(value, 'line') : null;
  if (hidden !== null) {
    faults.push(`${name} contains the hidden character ${hidden}: delete it or type the text again.`);
  } else if (!fits(schema, value)) {
    const found = schema.secret ? '' : `, not ${formatValue(value)}`;
    faults.push(`${name} must be ${describeAllowed(schema)}${found}.`);
  } else if (schema.properties !== undefined) {
    checkGroup(path, schema, value as Record<string, unknown>, check);
  } else if (schema.additionalProperties) {
    for (const [key, member] of Object.entries(value as object))
      checkValue(joined(path, key), schema.additionalProperties, member, check);
  } else if (schema.items !== undefined) {
    for (const [index, item] of (value as unknown[]).entries()) {
      checkValue(`${path}[${index}]`, schema.items, item, check);
    }
  }
}

function checkGroup(path: string, schema: SettingSchema, group: Record<string, unknown>, check: Check): void {
  const { root, faults } = check;
  const { properties = {}, required = [] } = schema;
  for (const key of Object.keys(group)) {
    if (!Object.hasOwn(properties, key)) faults.push(unknownKey(path, key, Object.keys(properties), root));
  }
  for (const [key, child] of Object.entries(properties)) {
    if (!Object.hasOwn(group, key) && child.default !== undefined)
      group[key] = structuredClone(child.default);
    if (Object.hasOwn(group, key)) checkValue(joined(path, key), child, group[key], check);
    else if (required.includes(key)) faults.push(`${joined(path, key)} is missing.`);
  }
}

function fits(schema: SettingSchema, value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  switch (schema.type) {
    case 'integer':
      return Number.isInteger(value) && isInRange(schema, value as number);
    case 'number':
      return Number.isFinite(value) && isInRange(schema, value as number);
    case 'boolean':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string' && isText(schema, value);
    case 'array':
      return Array.isArray(value) && value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY);
    default:
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

function isInRange({ minimum, maximum, exclusiveMinimum }: ValueSchema, value: number): boolean {
  if (minimum !== undefined && value < minimum) return false;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
  return maximum === undefined || value <= maximum;
}

function isText({ minLength = 0, maxLength, pattern }: ValueSchema, value: string): boolean {
  // Counts code points, not UTF-16 units: a beer mug emoji is one character.
  const length = [...value].length;
  if (length < minLength || (maxLength !== undefined && length > maxLength)) return false;
  return pattern === undefined || new RegExp(pattern, 'u').test(value);
}

function unknownKey(path: string, key: string, known: readonly string[], root: SettingSchema): string {
  const name = joined(path, key);
  const suggestion = findClosest(key, known);
  if (suggestion !== null) return `${name} is not a setting; did you mean ${joined(path, suggestion)}?`;
  const elsewhere = findSection(key, root);
  if (elsewhere !== null) return `${name} is not a setting; did you mean ${elsewhere}?`;
  return `${name} is not a setting${path === '' ? '' : ` of ${path}`}; known are ${known.join(', ')}.`;
}

/** Returns the full name of a setting with this key in any section: the key may be right but misplaced. */
function findSection(key: string, { properties = {} }: SettingSchema): string | null {
  for (const [section, schema] of Object.entries(properties)) {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) return `${section}.${key}`;
  }
  return null;
}

function joined(path: string, key: string): string {
  const name = /^[\w-]{1,64}$/.test(key) ? key : quoteKey(key.slice(0, 64));
  return path === '' ? name : `${path}.${name}`;
}

/** A key with hidden characters is written with escapes, by which they are seen. */
function quoteKey(key: string): string {
  const text = JSON.stringify(key);
  if (findHiddenCharacter(key, 'line') === null) return text;
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'a group in { }';
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
